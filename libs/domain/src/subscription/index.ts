export { changeEndsAt } from './change.state.js';
export { quoteAsShown } from './change.hold.js';
export { type QuotedChange, quoteChange, quoteWithoutPage } from './change.quote.js';
export { quoteNextCharge } from './next-charge.js';
export { quoteRegion } from './region.decide.js';
export {
  CURRENCY_STAYS,
  type CurrencyMove,
  type CurrencyStays,
  LOCKED_PRICE_POLICIES,
  type LockedPricePolicy,
  type OfferedPlan,
  quoteCurrency,
  quoteUnmoved,
  renewedPlan,
} from './currency.change.js';
export { renewalLines } from './renewal-lines.js';
export {
  findPayer,
  quoteRefund,
  type QuotedWithRefund,
  type ShownChange,
} from './change.refund.js';
export type { WantedChange } from './change.wanted.js';
export { UNUSED_CREDIT_POLICIES, type UnusedCreditPolicy } from './unused-credit.js';
export type {
  ChangedPlan,
  CreditRefundFailed,
  CurrencyChangeScheduled,
  PlanChanged,
} from './change.events.js';
export { findScheduledClaim, scheduleClaim } from './subscription.claims.js';
export {
  canEndByDispute,
  subscriptionAggregate,
  type SubscriptionCommand,
  type SubscriptionRejection,
} from './subscription.decide.js';
export {
  EXPIRY_CAUSES,
  type RenewalRequested,
  type SubscriptionEvent,
  type SubscriptionTerms,
} from './subscription.events.js';
export {
  accessEndsAt,
  awaitedCharge,
  evolveProgress,
  evolveSubscription,
  FIRST_STATUS,
  initialProgress,
  nextBillingDate,
  nextDueAt,
  noSubscription,
  type StartedSubscription,
  type Subscription,
  type SubscriptionProgress,
  SUBSCRIPTION_STATUSES,
  SUBSCRIPTION_TRANSITIONS,
  type SubscriptionStatus,
} from './subscription.state.js';
