import { prorateMinor } from '../../money/index.js';
import type { Day, JournalRow } from '../journal-row.js';
import type { PostingPolicy } from '../policy.js';

/** A debit or credit of a posting, before it is a row of the journal. */
export interface Leg {
  readonly account: string;
  /** In minor units: a credit above zero, a debit below. */
  readonly amountMinor: bigint;
  /** Whether it takes money out of a deferred account, and does not put some in. */
  readonly isTaken?: true;
  readonly details?: Details;
}

/** The part of a leg that says the purpose of its money. */
export type Details = Partial<
  Pick<
    JournalRow,
    | 'plan'
    | 'itemClass'
    | 'taxRate'
    | 'taxRatesVersion'
    | 'coversFrom'
    | 'coversUntil'
    | 'gatewayRef'
  >
>;

/** Legs with the part of their rows that says whose money it is. */
export interface EventLegs {
  readonly about: Pick<JournalRow, 'payment' | 'subscription' | 'order' | 'country' | 'currency'>;
  readonly legs: readonly Leg[];
}

/** The day and the policy of a posting. */
export interface PostedOn {
  /** From which day on it counts: when it happened, or else the first day that is open. */
  readonly at: Day;
  readonly policy: PostingPolicy;
}

export function credit(account: string, amountMinor: bigint, details: Details = {}): Leg {
  return { account, amountMinor, details };
}

export function debit(account: string, amountMinor: bigint, details: Details = {}): Leg {
  return { account, amountMinor: -amountMinor, details };
}

/**
 * Parts of an amount in proportion to others. All together are rounded, so that no part is off by more than a minor
 * unit, and they add up.
 *
 * @param weights none of which has to be above zero, while their sum is.
 */
export function spread(amountMinor: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  let [weighed, given] = [0n, 0n];
  return weights.map((weight) => {
    weighed += weight;
    const upTo = prorateMinor(amountMinor * weighed, 1n, whole);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
