import { monthlyMinor, type Recurring } from './recurring.js';

/** The ways in which recurring revenue changes (rules/finance 40). */
export const MRR_MOVEMENTS = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const;
export type MrrMovementKind = (typeof MRR_MOVEMENTS)[number];

/** A change of one subscription's recurring revenue in one currency, in minor units of a month. */
export interface MrrMovement {
  readonly kind: MrrMovementKind;
  readonly currency: string;
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
}

/**
 * The movements of an event between two states of a subscription; two of them where its currency changes.
 *
 * @param hadRevenue whether it had recurring revenue at any moment before.
 */
export function findMrrMovements(
  before: Recurring | undefined,
  after: Recurring,
  hadRevenue: boolean,
): MrrMovement[] {
  const { currency } = after.price;
  const beforeMinor = before === undefined ? 0n : monthlyMinor(before);
  const afterMinor = monthlyMinor(after);
  const former = before?.price.currency ?? currency;
  if (former === currency) {
    if (beforeMinor === afterMinor) return [];
    const kind = findKind({ beforeMinor, afterMinor }, after, hadRevenue);
    return [{ kind, currency, beforeMinor, afterMinor }];
  }
  const left: MrrMovement = { kind: 'contraction', currency: former, beforeMinor, afterMinor: 0n };
  const kind = beforeMinor > 0n ? 'expansion' : findStart(hadRevenue);
  const come: MrrMovement = { kind, currency, beforeMinor: 0n, afterMinor };
  return [...(beforeMinor > 0n ? [left] : []), ...(afterMinor > 0n ? [come] : [])];
}

function findKind(
  { beforeMinor, afterMinor }: Pick<MrrMovement, 'beforeMinor' | 'afterMinor'>,
  { status }: Recurring,
  hadRevenue: boolean,
): MrrMovementKind {
  if (status === 'ended') return 'churn';
  if (beforeMinor === 0n) return findStart(hadRevenue);
  return afterMinor > beforeMinor ? 'expansion' : 'contraction';
}

function findStart(hadRevenue: boolean): 'new' | 'reactivation' {
  return hadRevenue ? 'reactivation' : 'new';
}
