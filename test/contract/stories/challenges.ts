import { checkoutLinkAggregate, type CheckoutLinkEvent } from '#domain/checkout-link';
import { paymentAggregate } from '#domain/payment';
import { play } from '../../support/play.js';
import { capture, checkoutLink, request } from './purchase.js';

const now = '2027-01-31T10:00:00.000Z';
/** The bank's page for a payment. */
const sealedUrl = 'v3.2b7d6c2a91f0.AAAA.BBBB.CCCC';

/** A payment that the player had to confirm. */
export const challengedPayment = play(
  paymentAggregate.decider,
  request,
  { kind: 'ChallengePayment', sealedUrl, now },
  capture,
);

const ENDS: readonly CheckoutLinkEvent['type'][] = [
  'checkout_link.paid.v1',
  'checkout_link.completed.v1',
];
/** Its link, as it stands after the second attempt. */
const attempting = checkoutLink.events.filter(({ type }) => !ENDS.includes(type));
const { evolve, initialState } = checkoutLinkAggregate.decider;
const paymentId = checkoutLink.state.status === 'none' ? null : checkoutLink.state.paidBy;
export const challengedLink = play(
  { ...checkoutLinkAggregate.decider, initialState: attempting.reduce(evolve, initialState) },
  { kind: 'ChallengeCheckout', paymentId: String(paymentId), sealedUrl, now },
);
