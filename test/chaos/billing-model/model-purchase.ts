import { addPeriods, dayOfMonth } from './model-dates.js';
import { type AnsweredMethod, type Charges, chargeWith } from './model-gateway.js';
import { pay, takePeriod } from './model-period.js';
import type { RatesVersion, Region } from './model-tax.js';
import type { ModelPlan, ModelSubscription } from './model.js';

/** The player's purchase, and whether a bank that wants a confirmation gets it. */
interface Purchase {
  readonly plan: ModelPlan;
  readonly method: AnsweredMethod;
  readonly region: Region;
  readonly rates: readonly RatesVersion[];
  readonly confirms: boolean;
}

/** A purchase at `now`. @returns undefined where its payment is declined, which leaves no subscription. */
export function purchase(
  { plan, method, region, rates, confirms }: Purchase,
  now: number,
): ModelSubscription | undefined {
  const anchor = plan.trial === null ? now : addPeriods(now, plan.trial, 1);
  const charges: Charges = {};
  const dates = { anchor, billingDay: dayOfMonth(anchor), expiredAt: null } as const;
  const base = { plan, region, rates, method, charges, ...dates } as const;
  const trialEnd = plan.trial === null ? null : anchor;
  const first = { status: 'active', periodsPaid: 0, periodStart: now, periodEnd: anchor } as const;
  const none = { dunning: null, open: null };
  const past = {
    ...none,
    isCanceled: false,
    lastDueAt: null,
    payments: [],
    paidBy: null,
    sent: [],
    scheduled: null,
  };
  const subscription: ModelSubscription = { ...base, ...first, ...past, trialEnd };
  if (plan.trial === null) {
    if (chargeWith(method, charges, { offSession: false }) !== 'captured') return undefined;
    if (method === 'pm_authentication_required' && !confirms) return undefined;
    pay(subscription, { context: 'INITIAL', captured: true });
    subscription.sent.push('payment.succeeded');
    takePeriod(subscription);
  }
  subscription.sent.push('subscription.created');
  return subscription;
}
