export {
  decideAfterFailure,
  type Dunning,
  dunningAfter,
  dunningWhilePending,
  graceOfPendingRetry,
  isOutOfRetries,
  nextAttempt,
} from './dunning.js';
export {
  DEFAULT_DUNNING,
  type DunningPolicy,
  graceOfPendingCharge,
  RETRIED_DECLINE_CLASSES,
  retriesFitGrace,
  type RetriedDeclineClass,
  type RetrySchedule,
} from './dunning.policy.js';
