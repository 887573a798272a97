import type { Money } from '#domain/money';

/** What a rejection says beside its code. */
export interface RejectionDetails {
  readonly detail?: string;
  /** What is due now, where that is not what the caller has named. */
  readonly amount?: Money;
}

/** The metadata of the error that a caller gets: texts beside its reason (rules/api 12). */
export function describeRejection({ detail, amount }: RejectionDetails): Record<string, string> {
  return {
    ...(detail !== undefined && { detail }),
    ...(amount !== undefined && { amountCents: amount.amountMinor, currency: amount.currency }),
  };
}
