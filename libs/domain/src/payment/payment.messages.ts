import type { Instant } from '../event/index.js';
import type { PaymentEvent } from './payment.events.js';
import { paysOrder, type PurposeOutline, startsSubscription } from './payment.purpose.js';

/** The part of a payment's state that decides the subject of its messages. */
interface Belonging {
  readonly purpose: PurposeOutline;
  readonly capturedAt: Instant | null;
  readonly unappliedAt: Instant | null;
}

/**
 * Whether a payment is its own subject (rules/webhooks 5): a first payment that was declined bought nothing, and
 * neither did one that is unapplied. Every other payment is its subscription's or its order's, whose own stream notes
 * the payment's progress.
 */
export function isOwnSubject({ purpose, capturedAt, unappliedAt }: Belonging): boolean {
  if (paysOrder(purpose)) return false;
  return unappliedAt !== null || (startsSubscription(purpose) && capturedAt === null);
}

/** Whether a payment is a subscription's, so that its stream notes the payment's events. */
export function isOfSubscription(payment: Belonging): boolean {
  return !paysOrder(payment.purpose) && !isOwnSubject(payment);
}

/**
 * How many messages to merchants an event gives rise to whose subject is the payment itself. The fold
 * adds them up; the catalogue of webhooks is tested against this count.
 *
 * @param payment as the event left it.
 */
export function countMessages(event: PaymentEvent, payment: Belonging): number {
  switch (event.type) {
    case 'payment.declined.v1':
    case 'payment.given_up.v1':
    case 'payment.unapplied.v1':
    case 'payment.refunded.v1':
    case 'payment.dispute_opened.v1':
    case 'payment.dispute_closed.v1':
      return isOwnSubject(payment) ? 1 : 0;
    default:
      return 0;
  }
}
