import { type AccountingPeriod, firstDay, nextPeriod } from '#domain/bookkeeping';
import type { Instant } from '#domain/event';
import type { BookFile, BookPart } from './book-file.js';

/** Late entries come to old months of apps that do not close: each would have all of a month written again. */
const MERGED_AT_LEAST = 8;

/** Files of a month that one file takes the place of. */
export interface Merge {
  readonly part: BookPart;
  /** Their paths. */
  readonly replaced: readonly string[];
}

/**
 * The months whose files are to be one: those that are closed for all apps, and those that ended a month ago and have
 * many files.
 *
 * @param open the months that some app has not closed and has entries in.
 */
export function listMerges(
  files: Iterable<BookFile>,
  open: ReadonlySet<AccountingPeriod>,
  now: Instant,
): Merge[] {
  const months = new Map<string, BookFile[]>();
  for (const file of files) {
    const key = `${file.environment} ${file.period}`;
    months.set(key, [...(months.get(key) ?? []), file]);
  }
  return [...months.values()].flatMap((month) => {
    const [{ environment, period } = { environment: 'test', period: '' } as const] = month;
    const isLongOver = firstDay(nextPeriod(nextPeriod(period))) <= now;
    const isDue = isLongOver && month.length >= MERGED_AT_LEAST;
    if (month.length < 2 || (open.has(period) && !isDue)) return [];
    const first = Math.min(...month.map((file) => file.first));
    const last = Math.max(...month.map((file) => file.last));
    const replaced = month.map(({ path }) => path);
    return [{ part: { environment, period, first, last }, replaced }];
  });
}
