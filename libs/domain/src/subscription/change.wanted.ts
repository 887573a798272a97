import type { ChangedPlan } from './change.events.js';

/**
 * What becomes of paid time that a change at once does not use up (rules/lifecycle 11): it is lost, or the change is
 * refused.
 */
export const UNUSED_CREDIT_POLICIES = ['forfeit', 'refuse'] as const;
export type UnusedCreditPolicy = (typeof UNUSED_CREDIT_POLICIES)[number];

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
