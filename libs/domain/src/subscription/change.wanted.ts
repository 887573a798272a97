import type { ChangedPlan } from './change.events.js';
import type { UnusedCreditPolicy } from './unused-credit.js';

/** The change that a link, or a call, asks for (rules/lifecycle 11). */
export interface WantedChange {
  /** Null where only the payment method is to change. */
  readonly plan: ChangedPlan | null;
  /** The studio's amount for the change, in the place of the computed difference. */
  readonly amountMinor: string | null;
  /** Whether the period begins anew with the change. */
  readonly restartsPeriod: boolean;
  /** The fate of paid time that the change does not use up. */
  readonly unusedCredit: UnusedCreditPolicy;
}
