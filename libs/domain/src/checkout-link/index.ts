export {
  CHECKOUT_LINK_LIFETIME_MS,
  checkoutLinkAggregate,
  type CheckoutLinkCommand,
  type CheckoutLinkRejection,
} from './checkout-link.decide.js';
export { findClaim, findWantedPlan } from './checkout-link.claims.js';
export type {
  ChangeAttempted,
  CheckoutAttempted,
  CheckoutLinkEvent,
  LinkedChange,
  Offer,
} from './checkout-link.events.js';
export {
  ANSWER_LIMIT_MS,
  type AttemptSeries,
  canBeReplaced,
  isLocked,
  KEYS_REMEMBERED,
  pauseLeftMs,
  attemptEndsAt,
} from './checkout-link.limits.js';
export { type OfferQuote, quoteOffer } from './checkout-link.quote.js';
export {
  type CheckoutAttempt,
  type CheckoutLink,
  type CreatedCheckoutLink,
  findChallenge,
  lastAttempt,
} from './checkout-link.state.js';
