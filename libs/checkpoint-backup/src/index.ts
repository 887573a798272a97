export {
  type Backup,
  type BackupPage,
  DELIVERY_CHECKPOINT_RECORDED,
  fromPages,
  type ParkedEntry,
  toPages,
} from './backup.js';
export {
  appendBackup,
  backupStream,
  exhaustedStream,
  type FoundBackup,
  readBackup,
  readPages,
} from './backup-stream.js';
export {
  EXHAUSTED_NAMED,
  type ExhaustedDelivery,
  nameNewest,
  PLAYER_ERASED,
  shortenReason,
} from './exhausted.js';
export { type InFlight, inFlightMember, PROCESS, readInFlight, resendMember } from './in-flight.js';
