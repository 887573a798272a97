import { describe, expect, it } from 'vitest';
import { CATEGORIES } from './categories.js';
import { classifyRow } from './classify-row.js';
import type { SettlementRow } from './settlement.events.js';
import { chargeRow } from './spec-support/rows.js';

/** A row's movements as lines. */
function post(change: Partial<SettlementRow>): string[] {
  return classifyRow({ ...chargeRow, ...change }).map(
    ({ debit, credit, amountMinor, currency }) =>
      `${debit} from ${credit}: ${amountMinor} ${currency}`,
  );
}

describe('a row of a gateway posts', () => {
  it.each([
    ['the fee of a charge', { category: 'charge' }, ['gateway_fees from clearing: 39 USD']],
    ['no fee where there is none', { feeMinor: '0' }, []],
    [
      'a fee that comes back',
      { category: 'refund', feeMinor: '-39' },
      ['clearing from gateway_fees: 39 USD'],
    ],
    [
      'the fee of a dispute',
      { category: 'dispute', grossMinor: '-999', feeMinor: '1500' },
      ['dispute_fees from clearing: 1500 USD'],
    ],
    [
      'a fee by itself',
      { category: 'fee', grossMinor: '-50', feeMinor: '0' },
      ['gateway_fees from clearing: 50 USD'],
    ],
    [
      'a payout',
      { category: 'payout', grossMinor: '-960', feeMinor: '0' },
      ['bank from clearing: 960 USD'],
    ],
    [
      'a payout with its fee',
      { category: 'payout', grossMinor: '-960', feeMinor: '10' },
      ['bank from clearing: 960 USD', 'gateway_fees from clearing: 10 USD'],
    ],
    [
      'a payout that came back',
      { category: 'payout_reversal', grossMinor: '960', feeMinor: '0' },
      ['clearing from bank: 960 USD'],
    ],
    ['money kept back', { category: 'risk_reserved_funds', grossMinor: '-960', feeMinor: '0' }, []],
  ] as const)('%s', (_, change, moves) => {
    expect(post(change)).toEqual(moves);
  });

  it("the change of the player's currency into the account's, in both", () => {
    const charged = { amountMinor: '1500', currency: 'JPY' };
    expect(post({ charged })).toEqual([
      'exchange_differences from clearing: 1500 JPY',
      'clearing from exchange_differences: 999 USD',
      'gateway_fees from clearing: 39 USD',
    ]);
    const back = { amountMinor: '-1500', currency: 'JPY' };
    expect(post({ category: 'refund', grossMinor: '-999', feeMinor: '0', charged: back })).toEqual([
      'clearing from exchange_differences: 1500 JPY',
      'exchange_differences from clearing: 999 USD',
    ]);
  });

  it('positive amounts alone, each against another account, in every category', () => {
    for (const category of Object.keys(CATEGORIES) as SettlementRow['category'][]) {
      for (const move of classifyRow({ ...chargeRow, category })) {
        expect(move.amountMinor > 0n && move.debit !== move.credit).toBe(true);
      }
    }
  });
});
