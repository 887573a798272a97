export { appendAttempts, type AttemptToLog } from './append-attempts.js';
export { type AttemptError, cutAnswer, type Outcome, OUTCOMES } from './attempt.js';
export { DeliveryLog, type LoggedMessage, openDeliveryLog } from './delivery-log.js';
export { formatPlace, parsePlace } from './log-place.js';
export type { LoggedAttempt } from './partition-log.js';
