export {
  decideAfterFailure,
  type Dunning,
  dunningAfter,
  isOutOfRetries,
  nextAttempt,
} from './dunning.js';
export {
  DEFAULT_DUNNING,
  type DunningPolicy,
  graceOfPendingCharge,
  retriesFitGrace,
} from './dunning.policy.js';
