import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, type SettlementCategory } from '../../settlement/categories.js';
import type { SettlementRow } from '../../settlement/settlement.events.js';
import { chargeRow } from '../../settlement/spec-support/rows.js';
import { DEFAULT_POLICY } from '../policy.js';
import { signed } from '../spec-support/ledger.js';
import type { MoneyEvent, Recorded } from './books.js';
import { findSubject, isMoneyEvent, post, type PostingContext } from './post.js';

/** rules/finance 2 and 33 */
const [stream, at] = ['settlement-set_1', '2026-03-01T00:00:00.000Z'];
const metadata = {
  $correlationId: 'r',
  actor: 'operator:ada',
  appId: 'app_1',
  environment: 'production',
  occurredAt: at,
} as const;
const record = (event: MoneyEvent): Recorded => ({
  ...event,
  id: 'e1',
  streamName: stream,
  metadata,
});
const importRow = (change: Partial<SettlementRow>) =>
  record({ type: 'settlement.row_imported.v1', data: { ...chargeRow, ...change } });

function postRow(change: Partial<SettlementRow>, more: Partial<PostingContext> = {}) {
  const context = { leaf: 7n, bookedAt: at, policy: DEFAULT_POLICY, closedThrough: '', ...more };
  return post(importRow(change), [], context);
}

/** Entries as lines. */
const print = (change: Partial<SettlementRow>) =>
  postRow(change).map(
    ({ side, account, amountMinor, currency }) => `${side} ${account} ${amountMinor} ${currency}`,
  );

describe('a row of a gateway', () => {
  it.each([
    [
      'that is a payout, from clearing to the bank',
      { category: 'payout', grossMinor: '-960', feeMinor: '0' },
      ['debit assets:bank 960 USD', 'credit assets:gateway-clearing 960 USD'],
    ],
    [
      'of a charge, its fee',
      {},
      ['debit expenses:gateway-fees 39 USD', 'credit assets:gateway-clearing 39 USD'],
    ],
    [
      'of a refund, the fee that comes back',
      { category: 'refund', grossMinor: '-999', feeMinor: '-39' },
      ['debit assets:gateway-clearing 39 USD', 'credit expenses:gateway-fees 39 USD'],
    ],
    [
      'of a dispute, its fee',
      { category: 'dispute', grossMinor: '-999', feeMinor: '1500' },
      ['debit expenses:dispute-fees 1500 USD', 'credit assets:gateway-clearing 1500 USD'],
    ],
    [
      'of a changed currency, both amounts against the differences',
      { feeMinor: '0', charged: { amountMinor: '1500', currency: 'JPY' } },
      [
        'debit expenses:exchange-differences 1500 JPY',
        'credit assets:gateway-clearing 1500 JPY',
        'debit assets:gateway-clearing 999 USD',
        'credit expenses:exchange-differences 999 USD',
      ],
    ],
    ['without a fee, nothing', { feeMinor: '0' }, []],
  ] as const)('posts, %s', (_, change, entries) => {
    expect(print(change)).toEqual(entries);
  });

  it('names the row and its payment, at its own day in the zone of the app', () => {
    const [entry] = postRow(
      { createdAt: '2026-01-31T23:30:00.000Z' },
      { policy: { ...DEFAULT_POLICY, zone: 'Europe/Berlin' } },
    );
    expect(entry).toMatchObject({
      ...{ effectiveOn: '2026-02-01', period: '2026-02', late: false, leaf: 7n, number: 1 },
      ...{ rule: 'rules.v1/settled', reason: 'charge', gatewayRef: 'txn_1', payment: 'pay_1' },
      ...{ stream, actor: 'operator:ada', subscription: '', order: '', country: '' },
    });
  });

  it('is late where its month was closed before it was imported', () => {
    expect(postRow({}, { closedThrough: '2026-01' })).toMatchObject([
      { effectiveOn: '2026-01-31', period: '2026-02', late: true },
      { effectiveOn: '2026-01-31', period: '2026-02', late: true },
    ]);
  });

  it('changes the books of no payment, and its payout is noted without entries', () => {
    const noted = record({
      type: 'settlement.payout_noted.v1',
      data: { payoutId: 'po_1', effectiveOn: null },
    });
    for (const event of [importRow({}), noted]) {
      expect(isMoneyEvent({ ...event, revision: 0, position: '' })).toBe(true);
      expect(findSubject(event)).toBeNull();
    }
    const context = { leaf: 7n, bookedAt: at, policy: DEFAULT_POLICY, closedThrough: '' };
    expect(post(noted, [], context)).toEqual([]);
  });

  const minor = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String);
  it.each(Object.keys(CATEGORIES) as SettlementCategory[])(
    'of the category %s has equal debits and credits in each currency',
    (category) => {
      const currency = fc.constantFrom('EUR', 'JPY', 'KWD');
      const charged = fc.option(fc.record({ amountMinor: minor, currency }));
      fc.assert(
        fc.property(minor, minor, charged, (grossMinor, feeMinor, from) => {
          const rows = postRow({ category, grossMinor, feeMinor, charged: from });
          const sums = new Map<string, bigint>();
          for (const row of rows) {
            expect(row.amountMinor > 0n).toBe(true);
            sums.set(row.currency, (sums.get(row.currency) ?? 0n) + signed(row));
          }
          expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
          expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
          if (feeMinor !== '0') expect(rows.length).toBeGreaterThan(0);
        }),
      );
    },
  );
});
