import type { RecordedEvent } from '#domain/event';
import type { PaymentEvent, PaymentPurpose } from '#domain/payment';
import { describeWith, sayMoney, type Words } from './timeline.js';

/** Every event of a payment in plain words. */
const WORDS: Words<PaymentEvent> = {
  'payment.requested.v3': ({ amount, lines, purpose, paymentMethod }) =>
    `asked for ${sayMoney(amount)} (${lines.map((line) => `${line.kind} ${sayMoney(line.amount)}`).join(', ')}) ` +
    `for ${sayPurpose(purpose)}, attempt ${purpose.attempt}, by ${paymentMethod}`,
  'payment.pending.v1': () => 'the gateway has not decided yet',
  'payment.challenged.v2': () => 'the bank wants the player to confirm the charge',
  'payment.captured.v1': () => 'captured',
  'payment.declined.v1': ({ reason, declineClass, rawDeclineCode }) =>
    `declined: ${reason} (${declineClass}${rawDeclineCode === '' ? '' : `, code ${rawDeclineCode}`})`,
  'payment.given_up.v1': () =>
    'given up without an outcome; should it be captured after all, it goes back',
  'payment.refund_requested.v1': ({ refundId, amount, tax }) =>
    `refund ${refundId} of ${sayMoney(amount)} is asked for` +
    (tax === null ? '' : `, ${sayMoney(tax)} of it tax`),
  'payment.refunded.v1': ({ refundId, amount }) => `${sayMoney(amount)} given back as ${refundId}`,
  'payment.refund_failed.v1': ({ refundId, amount }) =>
    `refund ${refundId} of ${sayMoney(amount)} was not made: it was refused, or could not be made`,
  'payment.unapplied.v1': () => 'it came too late and buys nothing: it goes back',
  'payment.dispute_opened.v1': ({ disputeId, amount }) =>
    `dispute ${disputeId} was opened about ${sayMoney(amount)}`,
  'payment.dispute_closed.v1': ({ disputeId, won }) =>
    `dispute ${disputeId} was ${won ? 'won' : 'lost'}`,
};

function sayPurpose(purpose: PaymentPurpose): string {
  if (purpose.kind === 'order') return `order ${purpose.orderId}`;
  return `period ${purpose.period.number} of ${purpose.subscriptionId}`;
}

/** An event of a payment's stream in plain words. */
export function describePaymentEvent(event: RecordedEvent): string {
  return describeWith(WORDS, event);
}
