import type { ChargeRequest, PaymentLine } from '../../payment/index.js';
import { DEFAULT_POLICY, type PostingPolicy } from '../policy.js';
import { PaymentLedger } from './ledger.js';

/** A month of 31.00 with its tax, paid at noon of its first day. */
export const NOON = 'T12:00:00.000Z';
export const eur = (amountMinor: bigint) => ({ amountMinor: String(amountMinor), currency: 'EUR' });
export const covers = { start: `2026-01-15${NOON}`, end: `2026-02-15${NOON}` };
export const origin = (planId: string) => ({ planId, price: eur(3_689n), lockedAt: covers.start });

export const month: PaymentLine = {
  kind: 'recurring',
  amount: eur(3_100n),
  covers,
  origin: origin('plan_1'),
};
export const tax: PaymentLine = {
  ...{ kind: 'tax', amount: eur(589n), inclusive: true, covers, origin: origin('plan_1') },
  rate: { rate: '0.19', version: 3 },
};

export function charge(...lines: readonly PaymentLine[]): ChargeRequest {
  const total = lines.reduce((sum, { amount }) => sum + BigInt(amount.amountMinor), 0n);
  return {
    ...{ paymentId: 'pay_1', appId: 'app_1', player: 'p', checkoutLinkId: '', regionCode: 'DE' },
    purpose: {
      ...{ kind: 'subscription_period', subscriptionId: 'sub_1', attempt: 1 },
      period: { number: 2, ...covers },
    },
    ...{ amount: eur(total), lines, paymentMethod: '', personal: {} },
  };
}

/** Captured at noon of the 15th of January. */
export function paid(lines = [month, tax], policy: PostingPolicy = DEFAULT_POLICY): PaymentLedger {
  const ledger = new PaymentLedger(policy);
  ledger.charge(charge(...lines), covers.start);
  ledger.capture(covers.start);
  return ledger;
}

/** The rows of the last event. */
export const last = ({ entries }: PaymentLedger) => entries.at(-1)?.rows ?? [];
