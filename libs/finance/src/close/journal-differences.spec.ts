import { describe, expect, it } from 'vitest';
import type { JournalRow } from '#domain/bookkeeping';
import { compareJournals } from './journal-differences.js';

async function* from(rows: readonly JournalRow[]) {
  yield* rows;
}
async function compare(closed: readonly JournalRow[], known: readonly JournalRow[]) {
  const found: [string, bigint | undefined, bigint | undefined][] = [];
  for await (const { entry, closed: was, known: is } of compareJournals(
    from(closed),
    from(known),
  )) {
    found.push([entry, was?.amountMinor, is?.amountMinor]);
  }
  return found;
}
const row = (leaf: bigint, more: Partial<JournalRow> = {}) =>
  ({
    ...{ app: 'app_1', leaf, eventId: `e${leaf}`, number: 1, recognized: '', side: 'debit' },
    ...{ account: 'assets:gateway-clearing', currency: 'EUR', effectiveOn: '2026-01-15' },
    ...{ amountMinor: 3_100n, bookedAt: '2026-01-20T10:00:00.000Z', ...more },
  }) as JournalRow;

describe('two journals', () => {
  it('are the same where all of their entries are', async () => {
    expect(await compare([], [])).toEqual([]);
    const rows = [row(1n), row(2n)];
    const later = rows.map((each) => ({ ...each, bookedAt: '2026-03-01T00:00:00.000Z' }));
    expect(await compare(rows, later)).toEqual([]);
  });

  it('differ in each entry that one has alone, or with another amount, day or account', async () => {
    const closed = [row(1n), row(3n, { amountMinor: 5n }), row(4n), row(6n)];
    const known = [row(1n), row(2n), row(3n, { amountMinor: 7n }), row(6n), row(8n)];
    expect(await compare(closed, known)).toEqual([
      ['e2#1', undefined, 3_100n],
      ['e3#1', 5n, 7n],
      ['e4#1', 3_100n, undefined],
      ['e8#1', undefined, 3_100n],
    ]);
    const other = row(6n, { account: 'assets:bank' });
    expect(await compare([row(6n)], [other])).toHaveLength(1);
  });
});
