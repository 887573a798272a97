import { addPeriods } from '../../calendar/index.js';
import type { Instant } from '../../event/index.js';
import type { Money } from '../../money/index.js';
import { type ChargeRequest, periodLines } from '../index.js';

interface PeriodCharge {
  readonly subscriptionId: string;
  readonly amount: Money;
  readonly start: Instant;
  /** 1 for the period that a checkout pays. */
  readonly number: number;
  readonly attempt?: number;
}

/** The charge for a month of a subscription where no tax is set. */
export function periodCharge({
  subscriptionId,
  amount,
  start,
  number,
  attempt = 1,
}: PeriodCharge): Pick<ChargeRequest, 'purpose' | 'regionCode' | 'amount' | 'lines'> {
  const interval = { start, end: addPeriods(start, { value: 1, unit: 'month' }, 1) };
  const period = { number, ...interval };
  const origin = { planId: 'plan_1', price: amount, lockedAt: start };
  return {
    purpose: { kind: 'subscription_period', subscriptionId, period, attempt },
    ...{ regionCode: '', amount },
    lines: periodLines({ amount, tax: null }, interval, origin),
  };
}
