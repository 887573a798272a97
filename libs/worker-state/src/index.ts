export {
  appendAttempts,
  type AttemptError,
  type AttemptToLog,
  cutAnswer,
  type Outcome,
  OUTCOMES,
} from './attempt.js';
export { type Backup, DELIVERY_CHECKPOINT_RECORDED, type ParkedEntry, toPages } from './backup.js';
export {
  appendBackup,
  backupStream,
  exhaustedStream,
  type FoundBackup,
  readBackup,
  readBackups,
  readPages,
} from './backup-stream.js';
export { DeliveryLog } from './delivery-log.js';
export {
  EndpointFailures,
  type EndpointState,
  type Failing,
  SharedTokens,
} from './endpoint-failures.js';
export { EventDeliveries } from './event-deliveries.js';
export {
  EXHAUSTED_NAMED,
  type ExhaustedDelivery,
  nameNewest,
  PLAYER_ERASED,
  shortenReason,
} from './exhausted.js';
export {
  byMember,
  type InFlight,
  inFlightMember,
  isUpTo,
  PROCESS,
  readInFlight,
  resendMember,
} from './in-flight.js';
export { findParkedStreams, readParked } from './parked.js';
export { LAST_STORE_KEY, membersKey, RETRY_QUEUE, type WorkerKeys, workerKeys } from './keys.js';
export {
  DELIVERY_STATES,
  type DeliveryState,
  type LoggedAttempt,
  type LoggedDelivery,
} from './logged-delivery.js';
