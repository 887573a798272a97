/**
 * Rows that look like the work of a spreadsheet (rules/prices 9): an amount that is a power of ten off
 * the one in force, or a priceId that is spelled otherwise than one that is gone.
 */
import { decimalsOf } from '../money/index.js';
import { toMajorText } from '../pricing/index.js';
import type { PriceColumn, PriceSheet } from './price-sheet.js';
import { idSpelling, respellings } from './respelled-id.js';
import type { RowProblem, SheetRow } from './sheet-row.js';

/** A row of a good sheet that is taken only where its operator confirms it. */
export interface DoubtfulRow {
  readonly row: SheetRow;
  readonly problems: readonly RowProblem[];
}

/**
 * Compares a new sheet with the one in force, one look at a time: null where nothing is doubtful, so
 * that the caller can do other work in between.
 */
export function* findDoubtfulRows(
  inForce: PriceSheet,
  next: PriceSheet,
): Generator<DoubtfulRow | null> {
  const formerIds = yield* findFormerIds(inForce, next);
  const columns = new Map<string, PriceColumn>();
  for (const row of next.rows()) {
    const { priceId, country, currency, amountMinor } = row;
    const place = `${country} ${currency}`;
    const column = columns.get(place) ?? inForce.column(country, currency);
    columns.set(place, column);
    const problems: RowProblem[] = [];
    const formerId = formerIds.get(priceId);
    if (formerId !== undefined) {
      const reason = `${priceId} is new, and ${formerId}, which is in force, is gone`;
      problems.push({ column: 'priceId', reason });
    }
    const before = column.amount(formerId ?? priceId);
    const jump = before === undefined ? null : describeJump(before, amountMinor, currency);
    if (jump !== null) problems.push({ column: 'amount', reason: jump });
    yield problems.length === 0 ? null : { row, problems };
  }
}

/** By each new priceId that a spreadsheet can have made of one that is gone: the one that is gone. */
function* findFormerIds(
  inForce: PriceSheet,
  next: PriceSheet,
): Generator<null, ReadonlyMap<string, string>> {
  const known = new Set(inForce.priceIds());
  const present = new Set(next.priceIds());
  const gone = new Map<string, string>();
  for (const id of known) {
    if (!present.has(id)) for (const spelling of respellings(id)) gone.set(spelling, id);
    yield null;
  }
  const formerIds = new Map<string, string>();
  for (const id of present) {
    const former = known.has(id) ? undefined : gone.get(idSpelling(id));
    if (former !== undefined) formerIds.set(id, former);
    yield null;
  }
  return formerIds;
}

function describeJump(before: bigint, after: bigint, currency: string): string | null {
  const isMore = after > before;
  const factor = isMore ? powerOfTen(after, before) : powerOfTen(before, after);
  if (factor === null) return null;
  const [now, then] = [after, before].map((minor) => toMajorText(minor, decimalsOf(currency)));
  return `${now} is ${isMore ? `${factor} times` : `1/${factor} of`} the ${then} in force`;
}

/** 10, 100, 1000 and so on, where one amount is exactly that many times the other. */
function powerOfTen(more: bigint, less: bigint): bigint | null {
  if (less === 0n || more === less || more % less !== 0n) return null;
  const factor = more / less;
  return /^10+$/.test(factor.toString()) ? factor : null;
}
