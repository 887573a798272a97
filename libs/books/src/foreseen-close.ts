import type { AccountingPeriod } from '#domain/bookkeeping';

/** A close of an app's month, with its place in the log (rules/finance 31). */
export interface BookedClose {
  readonly app: string;
  readonly period: AccountingPeriod;
  /** Of its checkpoint: entries from this leaf on are late for the period. */
  readonly size: number;
  /** Of its event: as of checkpoints before it, the period was open. */
  readonly leaf: number;
}

/**
 * A close that counts before its own event: entries lie between its checkpoint and the event, and were posted while the
 * period was open.
 */
export type ForeseenClose = BookedClose;

/** The closes that an answer as of a checkpoint knows. */
export function foreseeBefore(
  closes: readonly ForeseenClose[],
  size: number,
): readonly ForeseenClose[] {
  return closes.filter(({ leaf }) => leaf < size);
}

/**
 * The last month of which the recognitions in the books count as of a checkpoint; empty where there is none. As of the
 * checkpoint of a close itself they are the same, since nothing behind it changes them.
 */
export function findHeld(closes: readonly BookedClose[], size: number): AccountingPeriod {
  const held = closes.filter((close) => close.leaf < size || close.size === size);
  return held.map(({ period }) => period).reduce(laterPeriod, '');
}

function laterPeriod(left: AccountingPeriod, right: AccountingPeriod): AccountingPeriod {
  return left > right ? left : right;
}
