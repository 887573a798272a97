import type { CloseFigures } from '#domain/finance';

/** A gate of a close that is shut, with the way to open it (rules/finance 31). */
export interface ShutGate {
  readonly gate: 'parked' | 'reconciliation' | 'balance';
  readonly message: string;
}

/** A difference between ledger, gateway and payouts that no person took. */
export interface OpenDifference {
  /** The id of a row of the gateway's account, or of a payment. */
  readonly row: string;
  readonly why: string;
}

/** So many streams or rows are named. */
const NAMED = 20;

/** @param streams of the app, which wait for a worker that can go on with them. */
export function parkedGate(streams: readonly string[]): ShutGate[] {
  if (streams.length === 0) return [];
  const message =
    `${count(streams, 'stream')} of the app ${isAre(streams)} parked (${list(streams)}): ` +
    'see why with "subledger parked list", mend that, and type "subledger parked retry".';
  return [{ gate: 'parked', message }];
}

/** @param differences that are open. */
export function reconciliationGate(differences: readonly OpenDifference[]): ShutGate[] {
  if (differences.length === 0) return [];
  const named = differences.map(({ row, why }) => `${row}: ${why}`);
  const message =
    `${count(differences, 'difference')} with the gateway or its payouts ${isAre(differences)} open (${list(named)}): ` +
    'correct each, or take it with "subledger finance accept ROW --reason TEXT".';
  return [{ gate: 'reconciliation', message }];
}

/** Debits equal credits for each currency, or a rule of posting is wrong. */
export function balanceGate({ totals }: Pick<CloseFigures, 'totals'>): ShutGate[] {
  const sums = new Map<string, bigint>();
  for (const { currency, debitMinor, creditMinor } of totals) {
    const sum = sums.get(currency) ?? 0n;
    sums.set(currency, sum + BigInt(debitMinor) - BigInt(creditMinor));
  }
  const wrong = [...sums].filter(([, sum]) => sum !== 0n);
  if (wrong.length === 0) return [];
  const named = wrong.map(([currency, sum]) => `${currency} by ${sum} minor units`);
  const message =
    `The journal is not balanced (${list(named)}): that is a defect of this program. ` +
    'Check the log with "subledger seal verify", and report it.';
  return [{ gate: 'balance', message }];
}

function count({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}

function isAre({ length }: readonly unknown[]): string {
  return length === 1 ? 'is' : 'are';
}

function list(names: readonly string[]): string {
  const more = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
