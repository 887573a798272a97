import type { Day, JournalRow } from '#domain/bookkeeping';
import type { Posting, Tag, Transaction } from './dialect.js';

/** A text of our own making: no program takes a part of it for a date, a tag or a comment. */
const PLAIN = /^[\w.-]+$/;

/**
 * The transaction of rows. It has the type of the event and ids of ours, and no text of other people: hledger takes
 * `[11/30]` for a date, and both take `word:` for a tag.
 */
export function describeRows(
  day: Day,
  rows: readonly [JournalRow, ...JournalRow[]],
  nameAccount: (account: string) => string,
): Transaction {
  const [{ eventType, recognized, leaf }] = rows;
  const tagsOfRows = rows.map((row) => listTags(row, day));
  const [first = []] = tagsOfRows;
  const isCommon = tagsOfRows.every((tags) => tags.join('\n') === first.join('\n'));
  return {
    day,
    description: recognized === '' ? eventType : `${eventType} recognized for ${recognized}`,
    tags: [['ids', listIds(rows)], ['leaf', `${leaf}`], ...(isCommon ? first : [])],
    postings: rows.map((row, index) => ({
      ...signAmount(row),
      name: nameAccount(row.account),
      tags: isCommon ? [] : (tagsOfRows[index] ?? []),
    })),
  };
}

function signAmount({ side, amountMinor, currency }: JournalRow): Omit<Posting, 'name' | 'tags'> {
  return { currency, amountMinor: side === 'debit' ? amountMinor : -amountMinor };
}

/** The event's id and those of its objects, with a space between. */
function listIds(rows: readonly JournalRow[]): string {
  const ids = rows.flatMap(({ eventId, app, payment, subscription, order }) => [
    ...[eventId, app, payment, subscription, order],
  ]);
  return [...new Set(ids)].filter((id) => PLAIN.test(id)).join(' ');
}

function listTags({ period, effectiveOn, late }: JournalRow, day: Day): Tag[] {
  return [
    ['period', period],
    ...(effectiveOn === day ? [] : [['effective', effectiveOn] as const]),
    ...(late ? [['late', 'yes'] as const] : []),
  ];
}
