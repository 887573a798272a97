import type { DomainEvent } from '#domain/event';
import type { Played } from '../../support/play.js';
import { challengedLink, challengedPayment } from './challenges.js';
import { changedSubscription, changeLink } from './changes.js';
import { disputedPayment, disputedSubscription } from './disputes.js';
import {
  app,
  catalogFailures,
  creation,
  endpointList,
  operatorTokens,
  player,
  projection,
  testClock,
  webhookEndpoint,
} from './operation.js';
import { closedBooks, settledCharge } from './finance.js';
import {
  canceledCartOrder,
  claimedOrder,
  expiredOrder,
  lateOrder,
  orderLink,
  paidOrder,
} from './orders.js';
import { boundedLink, playerPlans } from './plan-claims.js';
import {
  abandonedPlan,
  abandonedSubscription,
  checkoutLink,
  declinedCheckout,
  givenUpPayment,
  payment,
  plan,
  planCodeEvents,
  refundedPayment,
  refundedSubscription,
  subscription,
  unappliedPayment,
} from './purchase.js';
import { sandboxAccount, sandboxChallenge, sandboxDispute } from './sandbox.js';
import { sealNotices, sealWitnesses } from './seals.js';
import { activity, cart, loyalty, loyaltyProgram, nextCart, shop, shopSession } from './webshop.js';

/** Events that are stored, and how commands gave rise to them where commands did. */
interface Story {
  readonly events: readonly DomainEvent[];
  readonly again?: Played<unknown, unknown>['again'];
}

/** All events that this release writes are in one of them. */
export const STORIES: readonly Story[] = [
  app,
  catalogFailures,
  creation,
  endpointList,
  operatorTokens,
  player,
  projection,
  testClock,
  webhookEndpoint,
  closedBooks,
  settledCharge,
  plan,
  abandonedPlan,
  planCodeEvents,
  checkoutLink,
  subscription,
  abandonedSubscription,
  refundedSubscription,
  payment,
  unappliedPayment,
  refundedPayment,
  declinedCheckout,
  changedSubscription,
  changeLink,
  disputedPayment,
  disputedSubscription,
  challengedPayment,
  challengedLink,
  givenUpPayment,
  playerPlans,
  boundedLink,
  paidOrder,
  canceledCartOrder,
  lateOrder,
  expiredOrder,
  claimedOrder,
  orderLink,
  sandboxAccount,
  sandboxDispute,
  sandboxChallenge,
  sealNotices,
  sealWitnesses,
  shopSession,
  cart,
  nextCart,
  shop,
  loyaltyProgram,
  loyalty,
  { events: activity },
];
