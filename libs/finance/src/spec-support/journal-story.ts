import type { JournalRow } from '#domain/bookkeeping';

/** Texts of other people, as programs take them for dates, tags, comments, formulas and quotes. */
export const HOSTILE_TEXTS = [
  '[11/30] sold ; for: nothing',
  '=HYPERLINK("http://a.example";"x")',
  '@me, "quoted"\r\nnext: line',
  '(virtual)  10.00 EUR',
  '-1+1',
  '0012',
];

const CURRENCIES = ['EUR', 'JPY', 'KWD', 'BHD'] as const;
const COUNTRIES = ['DE', 'JP', 'KW', 'NA'] as const;
const APPS = ['app_01k00000000000000000000001', 'app_01k00000000000000000000002'] as const;
/** Around the last integers of floating point, far beyond them, and small change. */
const AMOUNTS = [1n, 5n, 99n, 3_100n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n + 7n];
/** Moments of checkpoints: several within a day, and around midnight in Berlin and in UTC. */
const CHECKPOINTS = [
  ...['2026-01-20T10:00:00.000Z', '2026-01-20T22:59:59.999Z', '2026-01-20T23:00:00.000Z'],
  ...['2026-01-31T22:59:59.000Z', '2026-01-31T23:30:00.000Z', '2026-02-01T00:00:00.000Z'],
  ...['2026-02-28T12:00:00.000Z', '2026-03-05T08:00:00.000Z', '2026-03-05T09:00:00.000Z'],
];

/** An entry without the parts that the rows of one event have in common. */
type Entry = Pick<JournalRow, 'account' | 'side' | 'amountMinor'> & Partial<JournalRow>;

/**
 * Rows of so many events of two apps, balanced for each event and currency, as a poster writes them: captures with tax,
 * refunds, disputes, forfeits, late entries, and recognition by period. The same seed gives the same rows.
 */
export function makeJournalRows(seed: number, events: number): JournalRow[] {
  const random = new Random(seed);
  return Array.from({ length: events }, (_, index) => makeEvent(random, index, events)).flat();
}

function makeEvent(random: Random, index: number, events: number): JournalRow[] {
  const currency = random.pick(CURRENCIES);
  const country = random.pick(COUNTRIES);
  const amountMinor = random.pick(AMOUNTS) + BigInt(random.below(1_000));
  const tax = amountMinor / 5n;
  const make = random.pick([captured, captured, refunded, disputed, forfeited]);
  const bookedAt = CHECKPOINTS[Math.floor((index * CHECKPOINTS.length) / events)] ?? '';
  const late = random.below(10) === 0;
  const common = makeCommon(random, index, {
    ...{ currency, country, bookedAt, late },
    effectiveOn: late ? '2025-12-30' : bookedAt.slice(0, 10),
    period: bookedAt.slice(0, 7),
  });
  return make(amountMinor, tax, country).map((entry, at) => ({
    ...common,
    number: at + 1,
    ...entry,
  }));
}

function captured(amountMinor: bigint, tax: bigint, country: string): Entry[] {
  const net = amountMinor - tax;
  const credits: Entry[] = [
    { account: 'liabilities:deferred-subscriptions', side: 'credit', amountMinor: net },
    ...(tax === 0n ? [] : [makeTax(country, 'credit', tax)]),
  ];
  const recognized = ['2026-04', '2026-05', '2026-06'].flatMap((period, at) => {
    const part = (net * BigInt(at + 1)) / 3n - (net * BigInt(at)) / 3n;
    if (part === 0n) return [];
    const of = { amountMinor: part, recognized: period, period, effectiveOn: `${period}-28` };
    return [
      {
        ...{ account: 'liabilities:deferred-subscriptions', side: 'debit' as const, late: false },
        ...of,
      },
      { ...{ account: 'income:subscriptions', side: 'credit' as const, late: false }, ...of },
    ];
  });
  return [
    { account: 'assets:gateway-clearing', side: 'debit', amountMinor },
    ...credits,
    ...recognized,
  ];
}

function refunded(amountMinor: bigint, tax: bigint, country: string): Entry[] {
  return [
    ...(tax === 0n ? [] : [makeTax(country, 'debit', tax)]),
    { account: 'income:refunds', side: 'debit', amountMinor: amountMinor - tax },
    { account: 'assets:gateway-clearing', side: 'credit', amountMinor },
  ];
}

function disputed(amountMinor: bigint): Entry[] {
  return [
    { account: 'assets:disputes-receivable', side: 'debit', amountMinor },
    { account: 'assets:gateway-clearing', side: 'credit', amountMinor },
  ];
}

/** Entries of one event with two effective days. */
function forfeited(amountMinor: bigint): Entry[] {
  const later = { amountMinor: 1n, effectiveOn: '2026-03-31' };
  return [
    { account: 'liabilities:deferred-items', side: 'debit', amountMinor },
    { account: 'income:items', side: 'credit', amountMinor },
    { account: 'liabilities:player-credit', side: 'debit', ...later },
    { account: 'income:disputes', side: 'credit', ...later },
  ];
}

function makeTax(country: string, side: JournalRow['side'], amountMinor: bigint): Entry {
  return {
    ...{ account: `liabilities:tax-payable:${country}`, side, amountMinor },
    ...{ taxRate: '0.20', taxRatesVersion: 3 },
  };
}

type CommonParts = Pick<
  JournalRow,
  'currency' | 'country' | 'bookedAt' | 'late' | 'effectiveOn' | 'period'
>;

function makeCommon(
  random: Random,
  index: number,
  parts: CommonParts,
): Omit<JournalRow, 'account' | 'side' | 'amountMinor' | 'number'> {
  const digits = `${index}`.padStart(12, '0');
  return {
    ...parts,
    app: random.pick(APPS),
    environment: 'production',
    eventId: `1e3f0000-0000-4000-8000-${digits}`,
    recognized: '',
    leaf: BigInt(index),
    rule: 'rules.v1/captured',
    eventType: 'payment.captured.v1',
    stream: `payment-pay_${digits}`,
    payment: `pay_${digits}`,
    subscription: random.below(2) === 0 ? `sub_${digits}` : '',
    order: '',
    plan: random.pick(HOSTILE_TEXTS),
    itemClass: random.pick(HOSTILE_TEXTS),
    taxRate: '',
    taxRatesVersion: null,
    coversFrom: null,
    coversUntil: null,
    gatewayRef: random.pick(HOSTILE_TEXTS),
    actor: `player:${random.pick(HOSTILE_TEXTS)}`,
    reason: random.pick(HOSTILE_TEXTS),
  };
}

/** Random choices: the same seed gives the same ones. */
class Random {
  constructor(private state: number) {}

  /** A whole number from 0 to `limit` - 1 (mulberry32). */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}
