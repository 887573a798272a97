import type { ChangedPlan } from './change.events.js';
import type { UnusedCreditPolicy } from './unused-credit.js';

/** What a link, or a call, asks to change (rules/lifecycle 11). */
export interface WantedChange {
  /** Null where only the payment method is to change. */
  readonly plan: ChangedPlan | null;
  /** What the studio wants for the change, in the place of the computed difference. */
  readonly amountMinor: string | null;
  /** Whether the period begins anew with the change. */
  readonly restartsPeriod: boolean;
  /** What becomes of paid time that the change does not use up. */
  readonly unusedCredit: UnusedCreditPolicy;
}
