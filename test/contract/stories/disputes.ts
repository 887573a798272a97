import { subscriptionAggregate } from '#domain/subscription';
import { play } from '../../support/play.js';
import { capture, create, LATER, noted, paid, refund, refunded, request } from './purchase.js';

/** The revision of the payment's event at which its dispute is opened; the next one closes it. */
const DISPUTED = 4;
const DISPUTE = {
  disputeId: 'dsp_01gold',
  amount: { amountMinor: '599', currency: 'USD' },
  now: LATER,
} as const;
/** A payment of which a part is given back, and the rest is disputed, and lost. */
export const disputedPayment = paid(
  request,
  capture,
  { ...refund, amountMinor: '400' },
  refunded,
  { kind: 'OpenDispute', ...DISPUTE },
  { kind: 'CloseDispute', ...DISPUTE, won: false },
);
/** Its first payment is disputed, as it is in `disputedPayment`. */
export const disputedSubscription = play(
  subscriptionAggregate.decider,
  create,
  {
    kind: 'RecordDispute',
    ...noted('pay_01first', DISPUTED),
    closed: false,
    endsSubscription: false,
    now: LATER,
  },
  {
    kind: 'RecordDispute',
    ...noted('pay_01first', DISPUTED + 1),
    closed: true,
    endsSubscription: false,
    now: LATER,
  },
);
