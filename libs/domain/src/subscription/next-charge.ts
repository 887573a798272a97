import type { Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import { type BillingPeriod, type PaymentLine, sumLines } from '../payment/index.js';
import type { TaxRates } from '../pricing/index.js';
import type { PlanChanged } from './change.events.js';
import { keepPeriod } from './change.quote.js';
import { renewalLines } from './renewal-lines.js';
import {
  evolveSubscription,
  nextBillingDate,
  nextPeriod,
  type StartedSubscription,
} from './subscription.state.js';

/** The next charge of a subscription by itself, as far as it is known. */
export interface NextCharge {
  readonly dueAt: Instant;
  readonly period: BillingPeriod;
  readonly lines: readonly PaymentLine[];
  readonly amount: Money;
}

/** The next renewal, or the next retry of the open period, with the plan that it is for. */
export function quoteNextCharge(state: StartedSubscription, taxRates: TaxRates): NextCharge {
  const dueAt = nextBillingDate(state);
  const charged = withDueChange(state, dueAt);
  const period = nextPeriod(charged);
  const lines = renewalLines(charged, period, taxRates);
  return { dueAt, period, lines, amount: sumLines(lines) };
}

/** The plan that was to change with the period's end (rules/lifecycle 11), before the next one is charged. */
export function dueChange(state: StartedSubscription, now: Instant): PlanChanged | null {
  const { scheduledChange: scheduled, paymentMethod } = state;
  if (scheduled === null || scheduled.effectiveAt > state.currentPeriodEnd) return null;
  const plan = keepPeriod(state, scheduled.plan, now);
  return {
    type: 'subscription.plan_changed.v1',
    data: {
      ...{ linkId: '', ...plan, payment: null, refundedPaymentId: null },
      ...{ paymentMethod, changedAt: now },
    },
  };
}

/** The subscription as its next charge finds it. */
function withDueChange(state: StartedSubscription, now: Instant): StartedSubscription {
  const change = dueChange(state, now);
  const after = change === null ? state : evolveSubscription(state, change);
  return after.status === 'none' ? state : after;
}
