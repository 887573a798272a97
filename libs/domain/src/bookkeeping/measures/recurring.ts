import type { Period } from '../../calendar/index.js';
import { type Money, prorateMinor, subtract } from '../../money/index.js';
import { chargeWithTax } from '../../pricing/index.js';
import type { SubscriptionEvent } from '../../subscription/index.js';

/** The part of a subscription from which its recurring revenue follows (rules/finance 40). */
export interface Recurring {
  readonly plan: string;
  /** Of a whole period, as the player was shown it. */
  readonly price: Money;
  readonly period: Period;
  /** The rate of the tax that the price contains, by its last charge; empty where it contains none. */
  readonly includedTaxRate: string;
  /** Whether its first charge has come: until then it is on trial, or waits for the charge behind the trial. */
  readonly hasPaid: boolean;
  readonly status: 'running' | 'canceled' | 'ended';
}

/** Months in so many periods of a unit, as a fraction. */
const MONTHS: Readonly<
  Record<Period['unit'], { readonly months: bigint; readonly units: bigint }>
> = {
  day: { months: 12n, units: 365n },
  week: { months: 12n, units: 52n },
  month: { months: 1n, units: 1n },
  year: { months: 12n, units: 1n },
};

/** Monthly recurring revenue: the price without tax of a month, half-even to a minor unit. */
export function monthlyMinor(of: Recurring): bigint {
  if (!of.hasPaid || of.status === 'ended') return 0n;
  const { value, unit } = of.period;
  const { months, units } = MONTHS[unit];
  return prorateMinor(BigInt(withoutTax(of).amountMinor), units, months * BigInt(value));
}

function withoutTax({ price, includedTaxRate: rate }: Recurring): Money {
  if (rate === '') return price;
  return subtract(price, chargeWithTax(price, { country: '', rate, inclusive: true }).tax);
}

/**
 * Folds an event of a subscription; most of them change nothing here.
 *
 * @param includedTaxRate in the charge of the payment that the event notes; undefined where it notes none.
 * @returns undefined before the subscription has begun.
 */
export function evolveRecurring(
  before: Recurring | undefined,
  event: SubscriptionEvent,
  includedTaxRate?: string,
): Recurring | undefined {
  if (event.type === 'subscription.created.v2') return begin(event.data, includedTaxRate);
  if (before === undefined) return undefined;
  const taxed = { ...before, includedTaxRate: includedTaxRate ?? before.includedTaxRate };
  switch (event.type) {
    case 'subscription.renewed.v1':
      return { ...taxed, hasPaid: true };
    case 'subscription.plan_changed.v1': {
      const { planId: plan, price, period, periodsPaid } = event.data;
      return { ...taxed, plan, price, period, hasPaid: before.hasPaid || periodsPaid > 0 };
    }
    case 'subscription.canceled.v1':
      return { ...before, status: 'canceled' };
    case 'subscription.reactivated.v1':
      return { ...before, status: 'running' };
    case 'subscription.expired.v1':
      return { ...before, status: 'ended' };
    default:
      return before;
  }
}

function begin(
  data: Extract<SubscriptionEvent, { type: 'subscription.created.v2' }>['data'],
  includedTaxRate = '',
): Recurring {
  const { planId: plan, price, period, trialEnd } = data;
  return { plan, price, period, includedTaxRate, hasPaid: trialEnd === null, status: 'running' };
}
