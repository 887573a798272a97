import type { ChargeRequest, PaymentLine } from '../../payment/index.js';
import { addDays } from '../days.js';

/** Charges of all kinds, for specs of random lives. */
export const START = '2026-01-10T10:00:00.000Z';

/** The numbers that a charge is made from. */
export interface ChargeKind {
  readonly kind: 'period' | 'change' | 'order';
  readonly first: bigint;
  readonly second: bigint;
  readonly tax: bigint;
  readonly days: number;
  readonly currency: string;
}

function makeLines({ kind, first, second, tax, days, currency }: ChargeKind): PaymentLine[] {
  const money = (amount: bigint) => ({ amountMinor: String(amount), currency });
  const covers = { start: START, end: `${addDays(START.slice(0, 10), days)}T10:00:00.000Z` };
  const old = { start: START, end: `${addDays(START.slice(0, 10), 20)}T10:00:00.000Z` };
  const of = (planId: string) => ({ planId, price: money(first), lockedAt: START });
  const taxed: PaymentLine = {
    ...{ kind: 'tax', amount: money(tax), inclusive: true, rate: { rate: '0.19', version: 1 } },
    ...{ covers: null, origin: null },
  };
  const item = (itemId: string, amount: bigint): PaymentLine => ({
    ...{ kind: 'item', amount: money(amount), covers: null, origin: null },
    item: { itemId, quantity: 1, price: money(amount) },
  });
  const [less, more] = first < second ? [first, second] : [second, first];
  const lines: Record<ChargeKind['kind'], PaymentLine[]> = {
    period: [{ kind: 'recurring', amount: money(first), covers, origin: of('plan_1') }],
    change: [
      { kind: 'proration_charge', amount: money(more), covers, origin: of('plan_2') },
      { kind: 'proration_credit', amount: money(1n - less), covers: old, origin: of('plan_1') },
      { kind: 'credit_forfeited', amount: money(1n), covers: old, origin: of('plan_1') },
    ],
    order: [item('skin', first), item('gems', second)],
  };
  return tax === 0n ? lines[kind] : [...lines[kind], taxed];
}

export function makeCharge(kind: ChargeKind): ChargeRequest {
  const lines = makeLines(kind);
  const total = lines.reduce((sum, { amount }) => sum + BigInt(amount.amountMinor), 0n);
  const period = { number: 2, start: START, end: START };
  return {
    ...{ paymentId: 'pay_1', appId: 'app_1', player: 'p', checkoutLinkId: '', regionCode: 'US-NY' },
    purpose:
      kind.kind === 'order'
        ? { kind: 'order', orderId: 'ord_1', attempt: 1 }
        : { kind: 'subscription_period', subscriptionId: 'sub_1', period, attempt: 1 },
    ...{ amount: { amountMinor: String(total), currency: kind.currency }, lines },
    ...{ paymentMethod: '', personal: {} },
  };
}
