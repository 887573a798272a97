import type { JournalRow } from '#domain/bookkeeping';

const ROW: JournalRow = {
  app: 'app_1',
  environment: 'test',
  eventId: 'e1',
  number: 1,
  recognized: '',
  leaf: 7n,
  bookedAt: '2026-01-20T10:00:00.123Z',
  effectiveOn: '2026-01-15',
  period: '2026-01',
  late: false,
  account: 'assets:gateway-clearing',
  side: 'debit',
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

/** A row of a journal. */
export function makeRow(row: Partial<JournalRow> = {}): JournalRow {
  return { ...ROW, ...row };
}

/** The two rows of a payment, by its leaf. */
export function makeEntries(leaf: number, app = 'app_1'): JournalRow[] {
  const common = { app, eventId: `e${leaf}`, leaf: BigInt(leaf), payment: `pay_${leaf}` };
  const account = 'liabilities:deferred-subscriptions';
  return [
    { ...ROW, ...common },
    { ...ROW, ...common, number: 2, side: 'credit', account },
  ];
}
