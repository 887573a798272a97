import { become, changeMethod, takeChange } from './model-change.js';
import { DAY_MS } from './model-dates.js';
import { type ModelLine, type ModelPayment, sumLines } from './model-payment.js';
import { expire, pay } from './model-period.js';
import type { ChangeAtOnce, MethodAtOnce, ModelSubscription, OpenCharge } from './model.js';

interface UnansweredCharge
  extends Pick<ModelPayment, 'context'>, Pick<OpenCharge, 'change' | 'endsAt'> {
  readonly lines?: readonly ModelLine[];
  readonly bankUrl?: string | null;
}

/** There is no outcome yet, and no webhook about it. */
export function leaveOpen(
  subscription: ModelSubscription,
  { endsAt, change, bankUrl = null, ...charge }: UnansweredCharge,
): void {
  pay(subscription, { ...charge, captured: false });
  const payment = subscription.payments.at(-1);
  if (payment === undefined) return;
  Object.assign(payment, { isPending: true, bankUrl });
  subscription.open = { payment, endsAt, change };
}

/** A change whose charge has no outcome: it is given up after a day, and leaves all as it was. */
export function openChange(
  subscription: ModelSubscription,
  change: ChangeAtOnce,
  bankUrl: string | null,
): void {
  const lines = quoteLines(subscription, change);
  const endsAt = change.now + DAY_MS;
  leaveOpen(subscription, { context: 'PLAN_CHANGE', change, endsAt, lines, bankUrl });
}

/** The same of another payment method, which pays the open period. */
export function openMethod(
  subscription: ModelSubscription,
  change: MethodAtOnce,
  bankUrl: string | null,
): void {
  const endsAt = change.now + DAY_MS;
  leaveOpen(subscription, { context: 'PAYMENT_METHOD_UPDATE', change, endsAt, bankUrl });
}

/** The charge for a change. */
export const priceChange = (subscription: ModelSubscription, change: ChangeAtOnce): number =>
  sumLines(quoteLines(subscription, change)).cents;

/** The lines of that. */
const quoteLines = (subscription: ModelSubscription, change: ChangeAtOnce) =>
  quoteChange(subscription, change).lines;

/** The same with the refund. */
export const quoteChange = (subscription: ModelSubscription, change: ChangeAtOnce) =>
  takeChange(structuredClone(subscription), change);

/** A renewal has had its grace then, and no retry is left. */
export function giveUp(
  subscription: ModelSubscription,
  { payment, change, endsAt }: OpenCharge,
): void {
  payment.isPending = false;
  subscription.open = null;
  subscription.sent.push('payment.failed');
  if (change !== null || subscription.status !== 'active') return;
  subscription.sent.push('subscription.payment_failed');
  expire(subscription, endsAt);
}

/** The player confirms or declines at the bank, which may be too late for the purpose. */
export function decideAtBank(
  subscription: ModelSubscription,
  payment: ModelPayment,
  confirms: boolean,
): void {
  const change = subscription.open?.payment === payment ? subscription.open.change : null;
  Object.assign(payment, { bankUrl: null, isPending: false, captured: confirms });
  if (change !== null) subscription.open = null;
  const { status, sent } = subscription;
  if (!confirms) {
    if (change !== null) sent.push('payment.failed');
  } else if (change === null || status === 'canceled' || status === 'expired') {
    payment.refunded = payment.cents;
    sent.push('payment.succeeded', 'payment.refunded');
  } else {
    // The payment is there, as the same object.
    const changed = structuredClone(subscription);
    if (change.wanted === null) changeMethod(changed, change.method);
    else takeChange(changed, change);
    become(subscription, changed, payment);
  }
}
