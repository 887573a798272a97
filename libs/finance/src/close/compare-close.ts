import type { CloseFigures } from '#domain/finance';

/** A part of a close that its events do not give. */
export interface CloseDifference {
  /** A report, `journal.csv`, or the sum of an account, `assets:bank EUR`. */
  readonly part: string;
  /** As it was closed: a hash, or debits and credits in minor units; empty where it is not in the close. */
  readonly closed: string;
  /** As the events give it now; empty where they do not. */
  readonly computed: string;
}

type Parts = Pick<CloseFigures, 'rules' | 'reports' | 'totals'>;

/** Every difference between a close and its figures that were computed anew. */
export function compareClose(closed: Parts, computed: Parts): CloseDifference[] {
  const [before, after] = [listParts(closed), listParts(computed)];
  const parts = new Set([...before.keys(), ...after.keys()]);
  return [...parts].flatMap((part) => {
    const [was, is] = [before.get(part) ?? '', after.get(part) ?? ''];
    return was === is ? [] : [{ part, closed: was, computed: is }];
  });
}

function listParts({ rules, reports, totals }: Parts): ReadonlyMap<string, string> {
  return new Map([
    ['rules', rules],
    ...reports.map(({ name, hash }) => [name, hash] as const),
    ...totals.map(
      ({ account, currency, debitMinor, creditMinor }) =>
        [`${account} ${currency}`, `debit ${debitMinor}, credit ${creditMinor}`] as const,
    ),
  ]);
}
