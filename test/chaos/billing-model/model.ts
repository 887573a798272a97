import type { Period } from './model-dates.js';
import type { ChangeMethod, Charges, DeclineClass, MethodName } from './model-gateway.js';
import type { ModelPayment } from './model-payment.js';
import type { RatesVersion, Region } from './model-tax.js';

/** A plan of the model: its price in minor units, for how long it runs, and for how long it is tried. */
export interface ModelPlan {
  readonly code: string;
  readonly cents: number;
  readonly period: Period;
  readonly trial: Period | null;
  /** Whether a player has it once; left out where not. */
  readonly onePerPlayer?: true;
}

const MONTH: Period = { value: 1, unit: 'month' };
const WEEK: Period = { value: 1, unit: 'week' };

export const PLANS = [
  { code: 'monthly', cents: 999, period: MONTH, trial: null },
  { code: 'quarterly', cents: 2501, period: { value: 3, unit: 'month' }, trial: null },
  { code: 'premium', cents: 1999, period: MONTH, trial: null },
  { code: 'trial', cents: 1337, period: MONTH, trial: { value: 7, unit: 'day' } },
  { code: 'ten-days', cents: 333, period: { value: 10, unit: 'day' }, trial: null },
  { code: 'fortnight', cents: 577, period: { value: 2, unit: 'week' }, trial: WEEK },
  { code: 'yearly', cents: 11_990, period: { value: 1, unit: 'year' }, trial: MONTH },
  { code: 'always', cents: 19_999, period: { value: 2, unit: 'year' }, trial: null },
] as const satisfies readonly ModelPlan[];

/** A plan that a player has once; random lives, which buy each plan as often as they like, leave it alone. */
export const ONCE: ModelPlan = {
  ...{ code: 'once', cents: 1459, period: MONTH, trial: null, onePerPlayer: true },
};

/** How an app recovers renewals that were declined, in hours from the first decline (rules/lifecycle 4). */
export interface DunningSettings {
  readonly graceHours: number;
  readonly retryAfterHours: readonly number[];
  /** After which declines a retry is made. */
  readonly retriedDeclineClasses: readonly DeclineClass[];
}

/** Of an app that has set nothing. */
export const DEFAULT_DUNNING: DunningSettings = {
  graceHours: 48,
  retryAfterHours: [24, 48],
  retriedDeclineClasses: ['soft', 'authentication_required', 'unknown'],
};

/** The schedule by the settings of the first decline, which hold for its period. */
interface Dunning {
  readonly graceEndsAt: number;
  readonly retriesAt: readonly number[];
  readonly retriedDeclineClasses: readonly DeclineClass[];
  /** Null where the decline was final, or the last retry was made. */
  readonly nextRetryAt: number | null;
}

/** The fate of paid time that a change does not use up. */
export const UNUSED = ['forfeit', 'refund', 'refuse'] as const;

/** A wish for another plan. */
export interface WantedPlan {
  readonly wanted: ModelPlan;
  readonly restarts: boolean;
  /** The studio's price, as the player sees it; else null. */
  readonly named: number | null;
  /** For a change without an amount of the studio's. */
  readonly unused: (typeof UNUSED)[number];
}

/** The change that the player has agreed to, and its moment. */
export interface ChangeAtOnce extends WantedPlan {
  readonly now: number;
  readonly method: ChangeMethod;
}

/** Another payment method that pays the open period, and when the player has agreed to it. */
export interface MethodAtOnce {
  readonly wanted: null;
  readonly now: number;
  readonly method: ChangeMethod;
}

/** Without an outcome it is given up in the end (rules/payments 17). */
export interface OpenCharge {
  readonly payment: ModelPayment;
  readonly endsAt: number;
  /** Its purpose; null for a renewal. */
  readonly change: ChangeAtOnce | MethodAtOnce | null;
}

/** One subscription, as the rules say that it is. */
export interface ModelSubscription {
  readonly region: Region;
  /** All of the app's. */
  readonly rates: readonly RatesVersion[];
  readonly charges: Charges;
  plan: ModelPlan;
  method: MethodName;
  anchor: number;
  /** The day of month that the period's end stands for: 31 on the 28th of February. */
  billingDay: number;
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
  /** The one that paid last for the present period. */
  paidBy: ModelPayment | null;
  /** Its webhooks, in their order. */
  readonly sent: string[];
}
