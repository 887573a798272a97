import { accept, type AnyRejection, type Decision, reject } from '../decider/index.js';
import { money, toMajor } from '../money/index.js';
import type { Payout, SettlementEvent, SettlementRow } from './settlement.events.js';
import type { Settlement } from './settlement.state.js';

export interface ImportRow {
  readonly kind: 'ImportRow';
  readonly row: SettlementRow;
  readonly payout: Payout | null;
}

export interface SettlementRejection extends AnyRejection {
  readonly code: 'settlement/payout_differs' | 'settlement/row_differs';
}

/**
 * Takes a row once (rules/finance 32). A further report may tell its payout; one with other figures is refused, since
 * one of the two is wrong.
 */
export function decideSettlement(
  { row, payout }: ImportRow,
  state: Settlement,
): Decision<SettlementEvent, SettlementRejection> {
  const noted = { type: 'settlement.payout_noted.v1', data: payout } as const;
  if (state.row === null) {
    const imported = { type: 'settlement.row_imported.v1', data: row } as const;
    return accept<SettlementEvent>(
      imported,
      ...(payout === null ? [] : [{ ...noted, data: payout }]),
    );
  }
  const differences = compareFigures(state.row, row);
  if (differences.length > 0) return reject('settlement/row_differs', differences.join('; '));
  if (payout === null) return accept();
  if (state.payout === null) return accept<SettlementEvent>({ ...noted, data: payout });
  const { payoutId, effectiveOn } = state.payout;
  if (payoutId !== payout.payoutId) {
    return reject('settlement/payout_differs', `${payoutId} before, ${payout.payoutId} now`);
  }
  const isNews = payout.effectiveOn !== null && payout.effectiveOn !== effectiveOn;
  return isNews ? accept<SettlementEvent>({ ...noted, data: payout }) : accept();
}

function compareFigures(before: SettlementRow, now: SettlementRow): string[] {
  const tell = (name: string, print: (row: SettlementRow) => string) => {
    const [left, right] = [print(before), print(now)];
    return left === right ? [] : [`${name} ${left} before, ${right} now`];
  };
  return [
    ...tell('category', ({ category }) => category),
    ...tell('gross', (row) => printAmount(row, row.grossMinor)),
    ...tell('fee', (row) => printAmount(row, row.feeMinor)),
  ];
}

function printAmount({ currency }: SettlementRow, amountMinor: string): string {
  return `${toMajor(money(amountMinor, currency))} ${currency}`;
}
