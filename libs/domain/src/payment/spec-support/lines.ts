import type { Interval } from '../../calendar/index.js';
import type { Money } from '../../money/index.js';
import { type PaymentLine, periodLines } from '../index.js';

/** The lines of a month at a price with included tax, for specs about something else. */
export function taxedLines(net: Money, tax: Money, covers: Interval): PaymentLine[] {
  const amountMinor = String(BigInt(net.amountMinor) + BigInt(tax.amountMinor));
  const amount = { amountMinor, currency: net.currency };
  const origin = { planId: 'plan_1', price: amount, lockedAt: covers.start };
  const rate = { rate: '0.0835', version: 1 };
  return periodLines({ amount, tax: { amount: tax, inclusive: true, rate } }, covers, origin);
}
