import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FieldViolation } from '#domain/decider';
import { badRowViolation, findDoubtfulRows, type PriceSheet } from '#domain/price-sheet';
import type { SheetThatWasRead } from './price-sheet-reader.js';

/** Other requests are answered in between. */
const ROWS_PER_TURN = 2_000;
/** An answer names this many rows and counts the others (rules/api 6). */
const MAX_NAMED_ROWS = 100;

/** The rows that an operator is to confirm before a sheet is taken (rules/prices 9). */
export interface DoubtfulRows {
  readonly count: number;
  /** The first of them by priceId, in the order of their lines. */
  readonly violations: readonly FieldViolation[];
}

/** Compares a sheet that was read with the one in force; undefined before the first. */
export async function collectDoubtfulRows(
  inForce: PriceSheet | undefined,
  { sheet, findLine }: SheetThatWasRead,
): Promise<DoubtfulRows> {
  if (inForce === undefined) return { count: 0, violations: [] };
  const named = [];
  let count = 0;
  let looks = 0;
  for (const doubtful of findDoubtfulRows(inForce, sheet)) {
    looks += 1;
    if (looks % ROWS_PER_TURN === 0) await nextTurn();
    if (doubtful === null) continue;
    count += 1;
    if (count > MAX_NAMED_ROWS) continue;
    named.push({ line: findLine(doubtful.row), problems: doubtful.problems });
  }
  named.sort((a, b) => a.line - b.line);
  return { count, violations: named.map(badRowViolation) };
}

/** The sentence for the operator, in the API and on the command line. */
export function describeDoubtfulRows({ count }: DoubtfulRows, confirmation: string): string {
  const rows = count === 1 ? 'one row' : `${count} rows`;
  return (
    `The price sheet has ${rows} that a spreadsheet may have changed; nothing of it was taken. ` +
    `If they are meant, confirm them: ${confirmation}.`
  );
}
