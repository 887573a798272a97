import { describe, expect, it } from 'vitest';
import { chargeRow } from './spec-support/rows.js';
import { printStripeAmount, readStripeAmount } from './stripe-amount.js';
import { type Cells, findMissingColumns, parseStripeRow } from './stripe-row.js';

const cells: Cells = {
  balance_transaction_id: 'txn_1',
  created_utc: '2026-01-31 10:00:00',
  available_on_utc: '2026-02-03 00:00:00',
  currency: 'usd',
  ...{ gross: '9.99', fee: '0.39', net: '9.60', reporting_category: 'charge' },
  ...{ source_id: 'ch_1', charge_id: 'ch_1', payment_intent_id: 'pi_1' },
  description: 'For Zoë at zoe@example.com',
  'payment_metadata[subledger_key]': 'pay_1',
  'payment_metadata[subledger_app]': 'app_1',
};

/** The columns that a row is refused for. */
function badColumns(change: Cells): string[] {
  const parsed = parseStripeRow({ ...cells, ...change }, 7, 'UTC');
  return 'row' in parsed ? [] : parsed.violations.map(({ field }) => field.replace('row 7, ', ''));
}

describe('a row of a report of Stripe', () => {
  it('is read by the names of its columns, without texts for people', () => {
    expect(parseStripeRow(cells, 1, 'UTC')).toEqual({
      row: chargeRow,
      payout: null,
      appId: 'app_1',
    });
  });

  it('tells its payout where the report has columns for it', () => {
    const columns = { automatic_payout_id: 'po_1', automatic_payout_effective_at: '2026-02-05' };
    expect(parseStripeRow({ ...cells, ...columns }, 1, 'UTC')).toMatchObject({
      payout: { payoutId: 'po_1', effectiveOn: '2026-02-05' },
    });
    expect(parseStripeRow({ ...cells, automatic_payout_id: '' }, 1, 'UTC')).toMatchObject({
      payout: null,
    });
  });

  it('takes times of the zone that the report was asked for in', () => {
    const { created_utc: time = '', ...others } = cells;
    const [berlin, utc] = ['Europe/Berlin', 'UTC'].map((zone) =>
      parseStripeRow({ ...others, created: time }, 1, zone),
    );
    expect(berlin).toMatchObject({ row: { createdAt: '2026-01-31T09:00:00.000Z' } });
    expect(utc).toMatchObject({ row: { createdAt: '2026-01-31T10:00:00.000Z' } });
  });

  it("keeps the player's amount where it is of another currency", () => {
    const change = { customer_facing_amount: '980', customer_facing_currency: 'jpy' };
    expect(parseStripeRow({ ...cells, ...change }, 1, 'UTC')).toMatchObject({
      row: { charged: { amountMinor: '980', currency: 'JPY' } },
    });
    const same = { customer_facing_amount: '9.99', customer_facing_currency: 'usd' };
    expect(parseStripeRow({ ...cells, ...same }, 1, 'UTC')).toMatchObject({
      row: { charged: null },
    });
  });

  it('is refused by its number, with every column that is wrong', () => {
    expect(badColumns({ balance_transaction_id: '' })).toEqual(['balance_transaction_id']);
    expect(badColumns({ reporting_category: 'transfer' })).toEqual(['reporting_category']);
    expect(badColumns({ reporting_category: 'toString' })).toEqual(['reporting_category']);
    expect(badColumns({ net: '9.99' })).toEqual(['net']);
    expect(badColumns({ currency: 'gold' })).toEqual(['currency']);
    expect(badColumns({ source_id: 'a\nb' })).toEqual(['source_id']);
    const several = { created_utc: '31.01.2026', gross: '9,99', available_on_utc: '2026-02-30' };
    expect(badColumns(several)).toEqual(['gross', 'net', 'created_utc', 'available_on']);
    expect(badColumns({ customer_facing_amount: '1', customer_facing_currency: 'eur' })).toEqual([
      'customer_facing_amount',
    ]);
  });

  it('needs some columns of its report', () => {
    expect(findMissingColumns(Object.keys(cells))).toEqual([]);
    expect(findMissingColumns(['created', 'currency', 'gross', 'fee', 'net'])).toEqual([
      ...['balance_transaction_id', 'reporting_category'],
    ]);
    expect(findMissingColumns([])).toContain('created_utc');
  });
});

describe('an amount in a report of Stripe', () => {
  it.each([
    ['9.99', 'USD', '999'],
    ['-0.39', 'USD', '-39'],
    ['-0.00', 'USD', '0'],
    ['980', 'JPY', '980'],
    ['9.990', 'KWD', '9990'],
    ['500.00', 'ISK', '500'],
    ['450', 'MGA', '45000'],
    ['90071992547409.93', 'USD', '9007199254740993'],
  ])('%s %s is %s minor units', (text, currency, minor) => {
    expect(readStripeAmount(text, currency)).toEqual({ minor });
    expect(printStripeAmount(BigInt(minor), currency)).toBe(text.replace('-0.00', '0.00'));
  });

  it.each([
    ['9.9', 'USD'],
    ['9.990', 'USD'],
    ['9', 'USD'],
    ['9,99', 'USD'],
    ['1,000.00', 'USD'],
    ['09.99', 'USD'],
    ['+9.99', 'USD'],
    ['1e3', 'JPY'],
    ['980.00', 'JPY'],
    ['9.99', 'KWD'],
    ['500.50', 'ISK'],
    ['', 'USD'],
  ])('%j of %s is refused', (text, currency) => {
    expect(readStripeAmount(text, currency)).toHaveProperty('wanted');
  });
});
