import type { Aggregate } from '../decider/index.js';
import {
  type CheckoutLinkCommand,
  checkoutLinkDecider,
  type CheckoutLinkRejection,
} from './checkout-link.decide.js';
import type { CheckoutLinkEvent } from './checkout-link.events.js';
import type { CheckoutLink } from './checkout-link.state.js';

export * from './checkout-link.decide.js';
export * from './checkout-link.events.js';
export * from './checkout-link.limits.js';
export * from './checkout-link.state.js';

export const checkoutLinkAggregate: Aggregate<
  CheckoutLink,
  CheckoutLinkCommand,
  CheckoutLinkEvent,
  CheckoutLinkRejection
> = { category: 'checkout_link', decider: checkoutLinkDecider };
