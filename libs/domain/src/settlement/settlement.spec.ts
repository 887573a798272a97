import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { settlementAggregate } from './index.js';
import type { Payout, SettlementRow } from './settlement.events.js';
import { chargeRow } from './spec-support/rows.js';

const { decider } = settlementAggregate;
const imported = (row = chargeRow) => ({ type: 'settlement.row_imported.v1', data: row }) as const;
const noted = (data: Payout) => ({ type: 'settlement.payout_noted.v1', data }) as const;
const payout = { payoutId: 'po_1', effectiveOn: '2026-02-05' };
const take = (row: SettlementRow, told: Payout | null = null) =>
  ({ kind: 'ImportRow', row, payout: told }) as const;

describe('a row of a gateway', () => {
  it('is imported once', () => {
    expect(given(decider).when(take(chargeRow))).toEqual([imported()]);
    expect(given(decider, imported()).when(take(chargeRow))).toEqual([]);
  });

  it('gets its payout from the same report, or by a later one', () => {
    expect(given(decider).when(take(chargeRow, payout))).toEqual([imported(), noted(payout)]);
    expect(given(decider, imported()).when(take(chargeRow, payout))).toEqual([noted(payout)]);
    const { when, state } = given(decider, imported(), noted(payout));
    expect(state).toEqual({ row: chargeRow, payout });
    expect(when(take(chargeRow, payout))).toEqual([]);
    expect(when(take(chargeRow))).toEqual([]);
    expect(when(take(chargeRow, { ...payout, effectiveOn: null }))).toEqual([]);
    const later = { ...payout, effectiveOn: '2026-02-06' };
    expect(when(take(chargeRow, later))).toEqual([noted(later)]);
  });

  it('is refused with both figures where they differ', () => {
    const { state } = given(decider, imported());
    const decide = (change: Partial<SettlementRow>) =>
      decider.decide(take({ ...chargeRow, ...change }), state);
    const refused = (detail: string) => ({
      accepted: false,
      rejection: { code: 'settlement/row_differs', detail },
    });
    expect(decide({ grossMinor: '-899', netMinor: '-938' })).toEqual(
      refused('gross 9.99 USD before, -8.99 USD now'),
    );
    expect(decide({ feeMinor: '40', netMinor: '959' })).toEqual(
      refused('fee 0.39 USD before, 0.40 USD now'),
    );
    expect(decide({ category: 'refund' })).toEqual(refused('category charge before, refund now'));
    expect(decide({ currency: 'EUR' })).toEqual(
      refused('gross 9.99 USD before, 9.99 EUR now; fee 0.39 USD before, 0.39 EUR now'),
    );
  });

  it('is in one payout', () => {
    const { state } = given(decider, imported(), noted(payout));
    expect(decider.decide(take(chargeRow, { ...payout, payoutId: 'po_2' }), state)).toEqual({
      accepted: false,
      rejection: { code: 'settlement/payout_differs', detail: 'po_1 before, po_2 now' },
    });
  });
});
