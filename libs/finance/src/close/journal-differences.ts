import { compareRows, entryId, type JournalRow } from '#domain/bookkeeping';

/** An entry that the journal of a closed period would have otherwise, if it were closed now. */
export interface EntryDifference {
  readonly entry: string;
  /** Null where the close does not have it. */
  readonly closed: JournalRow | null;
  /** Null where it is not known any more. */
  readonly known: JournalRow | null;
}

/** Compares two journals, each in the order of the books, entry by entry: no more than two are in memory. */
export async function* compareJournals(
  closed: AsyncIterable<JournalRow>,
  known: AsyncIterable<JournalRow>,
): AsyncGenerator<EntryDifference> {
  const [left, right] = [closed[Symbol.asyncIterator](), known[Symbol.asyncIterator]()];
  let [was, is] = [await take(left), await take(right)];
  while (was !== null || is !== null) {
    const order = compareNext(was, is);
    const difference = describe(order <= 0 ? was : null, order >= 0 ? is : null);
    if (difference !== undefined) yield difference;
    if (order <= 0) was = await take(left);
    if (order >= 0) is = await take(right);
  }
}

function describe(
  closed: JournalRow | null,
  known: JournalRow | null,
): EntryDifference | undefined {
  const row = closed ?? known;
  if (row === null || (closed !== null && known !== null && isSame(closed, known)))
    return undefined;
  return { entry: entryId(row), closed, known };
}

async function take(rows: AsyncIterator<JournalRow>): Promise<JournalRow | null> {
  const next = await rows.next();
  return next.done === true ? null : next.value;
}

function compareNext(left: JournalRow | null, right: JournalRow | null): number {
  if (left === null) return 1;
  return right === null ? -1 : compareRows(left, right);
}

/** In all that moves money; the moment of a recognition's checkpoint is another one. */
function isSame(left: JournalRow, right: JournalRow): boolean {
  const parts = ['account', 'side', 'amountMinor', 'currency', 'effectiveOn'] as const;
  return parts.every((part) => left[part] === right[part]);
}
