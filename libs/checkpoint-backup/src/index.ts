export {
  type Backup,
  type BackupRecord,
  DELIVERY_CHECKPOINT_RECORDED,
  foldRecords,
  type ParkedEntry,
} from './backup.js';
export { appendRecords, backupStream, type FoundBackup, readBackup } from './backup-stream.js';
export { change, type Changes, compactChanges, type Ends, takeForRecord } from './changes.js';
export {
  EXHAUSTED_NAMED,
  type ExhaustedDelivery,
  nameNewest,
  PLAYER_ERASED,
  shortenReason,
} from './exhausted.js';
export { pageBackup } from './pages.js';
export { type InFlight, inFlightMember, PROCESS, readInFlight, resendMember } from './in-flight.js';
