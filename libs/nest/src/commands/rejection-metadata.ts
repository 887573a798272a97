import type { Money } from '#domain/money';

/** The details of a rejection beside its code. */
export interface RejectionDetails {
  readonly detail?: string;
  /** The amount due now, where the caller has named another one. */
  readonly amount?: Money;
}

/** The metadata of the error that a caller gets: texts beside its reason (rules/api 12). */
export function describeRejection({ detail, amount }: RejectionDetails): Record<string, string> {
  return {
    ...(detail !== undefined && { detail }),
    ...(amount !== undefined && { amountCents: amount.amountMinor, currency: amount.currency }),
  };
}
