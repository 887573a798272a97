import { toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import type { IndexEntry } from '#projection-engine/define';

/** Ten digits of base 36 hold every instant; the id stands behind them. */
const DIGITS = 10;

/** An entry of a list that stands in the order of creation. */
export function inOrderOfTime(index: IndexEntry['index'], at: Instant, id: string): IndexEntry {
  return { index, member: digits(toMilliseconds(at)) + id, score: 0 };
}

/** The same where the newest has to stand first in the text's order. */
export function inReverseOrderOfTime(
  index: IndexEntry['index'],
  at: Instant,
  id: string,
): IndexEntry {
  return { index, member: digits(36 ** DIGITS - 1 - toMilliseconds(at)) + id, score: 0 };
}

/** The id in an entry of such a list. */
export function idBehindTime(member: string): string {
  return member.slice(DIGITS);
}

function digits(milliseconds: number): string {
  return ('0'.repeat(DIGITS) + milliseconds.toString(36)).slice(-DIGITS);
}
