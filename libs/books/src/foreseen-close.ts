import type { AccountingPeriod } from '#domain/bookkeeping';

/**
 * A close that counts before its own event: entries lie between its checkpoint and the event, and were posted while the
 * period was open (rules/finance 31).
 */
export interface ForeseenClose {
  readonly app: string;
  readonly period: AccountingPeriod;
  /** Of its checkpoint: entries from this leaf on are late for the period. */
  readonly size: number;
  /** Of its event: as of checkpoints before it, the period was open. */
  readonly leaf: number;
}

/** The closes that an answer as of a checkpoint knows. */
export function foreseeBefore(
  closes: readonly ForeseenClose[],
  size: number,
): readonly ForeseenClose[] {
  return closes.filter(({ leaf }) => leaf < size);
}
