import type { Instant } from '#domain/event';

/** The name of a list and what it is a list of: `['payments', subscriptionId]`. */
export type IndexName = readonly [name: string, ...of: string[]];

/** The place of a document in a list. */
export interface IndexEntry {
  readonly index: IndexName;
  /** Within one score, members stand in the order of their text. */
  readonly member: string;
  /** Milliseconds, in lists that are asked by time; 0 in all others. */
  readonly score: number;
}

/** A filter that is not set, in the name of a list: no id and no status is empty. */
export const ANY = '';

/**
 * The entry of a list that is paged newest first: by creation, then id (rules/api 16). The time is
 * written out, since ids that are derived from a due date sort by that date.
 */
export function byCreation(index: IndexName, createdAt: Instant, id: string): IndexEntry {
  return { index, member: `${createdAt} ${id}`, score: 0 };
}
