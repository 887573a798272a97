import type { Money } from '../../money/index.js';
import type { SubscriptionEvent } from '../../subscription/index.js';

/** A renewal that was asked for and is not paid, with its last failure (rules/finance 41). */
export interface UnpaidRenewal {
  readonly paymentId: string;
  /** The price of the period, and the whole charge with its tax as soon as that is asked for. */
  readonly amount: Money;
  readonly attempt: number;
  /** Of the last attempt that failed; empty where none has. */
  readonly reason: string;
  readonly failureEventId: string;
}

/** Folds an event of the subscription; null where no renewal is open. */
export function evolveUnpaid(
  before: UnpaidRenewal | null,
  { id, type, data }: SubscriptionEvent & { readonly id: string },
): UnpaidRenewal | null {
  switch (type) {
    case 'subscription.renewal_requested.v1': {
      const { paymentId, amount, attempt } = data;
      const { reason = '', failureEventId = '' } = before ?? {};
      return { paymentId, amount, attempt, reason, failureEventId };
    }
    case 'subscription.renewal_failed.v2':
      return before && { ...before, reason: data.reason, failureEventId: id };
    case 'subscription.renewed.v1':
      return null;
    default:
      return before;
  }
}
