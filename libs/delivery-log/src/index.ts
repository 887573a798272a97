export { appendAttempts, type AttemptToLog } from './append-attempts.js';
export { type AttemptError, cutAnswer, type Outcome, OUTCOMES } from './attempt.js';
export { DeliveryLog, openDeliveryLog } from './delivery-log.js';
export { formatListPlace, parseListPlace } from './log-place.js';
export { DELIVERY_STATES, type DeliveryState, type LoggedDelivery } from './logged-delivery.js';
export type { LoggedAttempt } from './partition-log.js';
