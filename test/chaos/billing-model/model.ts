import { HOUR_MS } from './model-dates.js';
import type { Charges, MethodName } from './model-gateway.js';
import type { ModelPayment, Region } from './model-payment.js';

/** A plan of the model: its price in minor units, and for how long it runs. */
export interface ModelPlan {
  readonly code: string;
  readonly cents: number;
  readonly months: number;
  readonly trialDays: number;
}

export const PLANS = [
  { code: 'monthly', cents: 999, months: 1, trialDays: 0 },
  { code: 'quarterly', cents: 2501, months: 3, trialDays: 0 },
  { code: 'premium', cents: 1999, months: 1, trialDays: 0 },
  { code: 'trial', cents: 1337, months: 1, trialDays: 7 },
] as const satisfies readonly ModelPlan[];

/** Grace and retries of an app without settings (rules/lifecycle 4). */
export const GRACE_MS = 48 * HOUR_MS;
export const RETRIES_MS = [24 * HOUR_MS, 48 * HOUR_MS];

interface Dunning {
  readonly firstFailedAt: number;
  /** Null where the decline was final. */
  nextRetryAt: number | null;
}

/** Without an outcome it is given up in the end (rules/payments 17). */
export interface OpenCharge {
  readonly isOfChange: boolean;
  readonly payment: ModelPayment;
  readonly endsAt: number;
}

/** One subscription, as the rules say that it is. */
export interface ModelSubscription {
  readonly region: Region;
  readonly charges: Charges;
  plan: ModelPlan;
  method: MethodName;
  anchor: number;
  /** The plan that begins when the period is over. */
  scheduled: ModelPlan | null;
  periodStart: number;
  readonly trialEnd: number | null;
  status: 'active' | 'past_due' | 'canceled' | 'expired';
  periodsPaid: number;
  periodEnd: number;
  dunning: Dunning | null;
  /** A charge that its gateway does not answer, one at a time. */
  open: OpenCharge | null;
  isCanceled: boolean;
  /** When something happened by itself last. */
  lastDueAt: number | null;
  /** When it ended; null at an end whose moment the caller's clock chose. */
  expiredAt: number | null;
  /** Oldest first. */
  readonly payments: ModelPayment[];
  /** What its webhooks tell, in their order. */
  readonly sent: string[];
}
