import { toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';

/** The name of a list and its subject: `['payments', subscriptionId]`. */
export type IndexName = readonly [name: string, ...of: string[]];

/** The place of a document in a list. */
export interface IndexEntry {
  readonly index: IndexName;
  /** Within one score, members stand in the order of their text. */
  readonly member: string;
  /** Milliseconds, in lists that are asked by time; 0 in all others. */
  readonly score: number;
}

/** Enough for the last instant that there is, in base 36. */
const TIME_LENGTH = 10;

/**
 * The entry of a list that is paged newest first: by creation, then id (rules/api 16). The member has the
 * time itself, since ids that are derived from a due date sort by that date.
 *
 * @throws RangeError for a text that is no instant since 1970.
 */
export function byCreation(index: IndexName, createdAt: Instant, id: string): IndexEntry {
  return { index, member: `${formatTime(readInstant(createdAt))}${id}`, score: 0 };
}

/** The last instant that such a member holds. */
const LAST_MILLISECOND = 36 ** TIME_LENGTH - 1;

/**
 * The same for a list that is paged oldest first; of those created in one millisecond, the last id is first.
 *
 * @throws RangeError for a text that is no instant since 1970.
 */
export function oldestFirst(index: IndexName, createdAt: Instant, id: string): IndexEntry {
  const time = formatTime(LAST_MILLISECOND - readInstant(createdAt));
  return { index, member: `${time}${id}`, score: 0 };
}

/** The id in a member of such lists. */
export function readMemberId(member: string): string {
  return member.slice(TIME_LENGTH);
}

function readInstant(createdAt: Instant): number {
  const milliseconds = toMilliseconds(createdAt);
  if (milliseconds >= 0) return milliseconds;
  throw new RangeError(`${createdAt} is no instant since 1970`);
}

function formatTime(milliseconds: number): string {
  return milliseconds.toString(36).padStart(TIME_LENGTH, '0');
}
