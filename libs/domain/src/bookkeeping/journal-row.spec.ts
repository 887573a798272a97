import { describe, expect, it } from 'vitest';
import { compareRows, entryId, JOURNAL_COLUMNS, type JournalRow } from './index.js';

const row: JournalRow = {
  app: 'app_1',
  environment: 'test',
  eventId: 'e1',
  number: 2,
  recognized: '',
  leaf: 7n,
  bookedAt: '2026-01-20T10:00:00.000Z',
  effectiveOn: '2026-01-15',
  period: '2026-01',
  late: false,
  account: 'liabilities:deferred-subscriptions',
  side: 'credit',
  amountMinor: 3_100n,
  currency: 'EUR',
  rule: 'rules.v1/captured',
  eventType: 'payment.captured.v1',
  stream: 'payment-pay_1',
  payment: 'pay_1',
  subscription: 'sub_1',
  order: '',
  plan: 'plan_1',
  itemClass: '',
  country: '',
  taxRate: '',
  taxRatesVersion: null,
  coversFrom: '2026-01-15',
  coversUntil: '2026-02-15',
  gatewayRef: '',
  actor: 'player:p1',
  reason: '',
};

describe('the journal', () => {
  it('has the columns of its CSV in the order that is agreed', () => {
    expect(JOURNAL_COLUMNS.map(({ name }) => name).join(', ')).toBe(
      'entry, leaf, booked_at, effective_on, period, late, account, debit_minor, credit_minor, amount, currency, ' +
        'exponent, app, environment, rule, event_id, event_type, stream, payment, subscription, order, plan, ' +
        'item_class, country, tax_rate, tax_rates_version, covers_from, covers_until, gateway_ref, actor, reason',
    );
  });

  it('keeps out of Parquet the columns that are folders there, and decimals', () => {
    const left = JOURNAL_COLUMNS.filter(({ parquet }) => parquet === undefined);
    expect(left.map(({ name }) => name)).toEqual(['period', 'amount', 'environment']);
  });

  it.each([
    ['credit', 3_100n, 'EUR', [null, 3_100n, '-31.00', 2]],
    ['debit', 5n, 'EUR', [5n, null, '0.05', 2]],
    ['debit', 980n, 'JPY', [980n, null, '980', 0]],
    ['credit', 9_990n, 'KWD', [null, 9_990n, '-9.990', 3]],
  ] as const)('prints a %s of %s minor units of %s', (side, amountMinor, currency, wanted) => {
    const names = ['debit_minor', 'credit_minor', 'amount', 'exponent'];
    const cells = names.map((name) =>
      JOURNAL_COLUMNS.find((column) => column.name === name)?.value({
        ...row,
        side,
        amountMinor,
        currency,
      }),
    );
    expect(cells).toEqual(wanted);
  });

  it('names an entry by its event, and a recognition by its period, too', () => {
    expect([entryId(row), entryId({ ...row, recognized: '2026-02' })]).toEqual([
      'e1#2',
      'e1#2/2026-02',
    ]);
  });

  it('is ordered by app, leaf, number and recognised period', () => {
    const rows = [
      { ...row, app: 'app_2', leaf: 1n },
      { ...row, leaf: 10n },
      { ...row, recognized: '2026-02' },
      { ...row, recognized: '2026-01' },
      { ...row, number: 1 },
      row,
    ];
    expect(rows.sort(compareRows).map((one) => `${one.app}/${one.leaf}/${entryId(one)}`)).toEqual([
      'app_1/7/e1#1',
      'app_1/7/e1#2',
      'app_1/7/e1#2/2026-01',
      'app_1/7/e1#2/2026-02',
      'app_1/10/e1#2',
      'app_2/1/e1#2',
    ]);
  });
});
