import type { AnsweredMethod } from './model-gateway.js';
import { type ModelPayment, periodLines, sumLines } from './model-payment.js';
import type { AppliedRate } from './model-tax.js';
import type { ModelPlan, ModelSubscription } from './model.js';

/** A first payment that has bought nothing: it is its own subject (rules/webhooks 5). */
export interface LonePayment {
  /** Its webhooks, in their order. */
  readonly sent: readonly string[];
  readonly cents: number;
  readonly tax: number | null;
  /** Why it was declined; null where it was not. */
  readonly reason: string | null;
}

interface Attempt {
  readonly plan: ModelPlan;
  readonly rate: AppliedRate | null;
  readonly method: AnsweredMethod;
}

/** A declined purchase leaves no subscription. */
export function declinedPurchase({ plan, rate, method }: Attempt): LonePayment {
  const covers = { start: 0, end: 0 };
  const { cents, tax } = sumLines(periodLines(rate, { cents: plan.cents, covers, plan }));
  return { sent: ['payment.failed'], cents, tax, reason: findReason(method) };
}

/** The attempt before the one that has bought waits for the player: it is in the list, too. */
export function leaveBehind({ payments }: ModelSubscription): ModelPayment {
  const [bought] = payments;
  if (bought === undefined) throw new Error('nothing was paid');
  const behind = { ...bought, captured: false, isPending: true, disputes: [] };
  payments.unshift(behind);
  return behind;
}

/** A late confirmation goes back by itself; a declined purchase is in no list. */
export function decideLate(
  { payments }: ModelSubscription,
  late: ModelPayment,
  confirms: boolean,
): LonePayment {
  const { cents, tax } = late;
  if (confirms) {
    Object.assign(late, { captured: true, isPending: false, refunded: cents });
    return { sent: ['payment.succeeded', 'payment.refunded'], cents, tax, reason: null };
  }
  payments.splice(payments.indexOf(late), 1);
  return { sent: ['payment.failed'], cents, tax, reason: 'authentication_required' };
}

function findReason(method: AnsweredMethod): string {
  if (method === 'pm_decline_lost_card') return 'lost_or_stolen_card';
  if (method === 'pm_decline_insufficient_funds') return 'insufficient_funds';
  return 'authentication_required';
}
