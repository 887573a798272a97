import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '#domain/bookkeeping';
import type { RecordedEvent } from '#domain/event';
import { mrr } from './mrr.js';
import { mrrMovements } from './mrr-movements.js';
import { PeriodBooks } from './period-books.js';
import type { EventInOrder, ReadBooks } from './read-books.js';
import type { ReportRow, SummaryReport } from './report.js';

const BOUGHT = '2026-01-31T23:30:00.000Z';

function makeEvent(type: string, data: object, id: string): RecordedEvent {
  const metadata = { appId: 'app_1', environment: 'test', actor: 'app', occurredAt: BOUGHT };
  return {
    ...{ type, data, id, streamName: 'subscription-sub_1', revision: 0, position: '' },
    metadata: { ...metadata, environment: 'test', $correlationId: 'r' },
  };
}

const created = makeEvent(
  'subscription.created.v2',
  {
    ...{ subscriptionId: 'sub_1', planId: 'plan_1', trialEnd: null, initialPayment: null },
    ...{ price: { amountMinor: '999', currency: 'EUR' }, period: { value: 1, unit: 'month' } },
    createdAt: BOUGHT,
  },
  'e1',
);
const expired = makeEvent(
  'subscription.expired.v1',
  { cause: 'canceled_at_once', expiredAt: BOUGHT, canceledAt: null },
  'e2',
);

interface Terms {
  readonly zone?: string;
  readonly closedThrough?: string;
}

function bookedIn(period: string, events: readonly (readonly [RecordedEvent, Terms?])[]) {
  const inOrder = events.map(([event, { zone = 'UTC', closedThrough = '' } = {}]): EventInOrder => {
    return { event, policy: { ...DEFAULT_POLICY, zone }, closedThrough };
  });
  const books: ReadBooks = {
    closedThrough: '',
    asOf: BOUGHT,
    periodOrder: '',
    add: () => Promise.resolve(),
    all: () => Promise.resolve([]),
    rows: async function* () {
      // No entries.
    },
    events: async function* () {
      yield* inOrder;
    },
    hash: () => Promise.resolve({ rows: 0, rowsHash: '' }),
    writeParquet: () => Promise.resolve(),
    upToClose: () => Promise.resolve(books),
  };
  return PeriodBooks.open(books, { period, effectiveUntil: `${period}-28` });
}

async function compute(report: SummaryReport, books: Promise<PeriodBooks>): Promise<ReportRow[]> {
  return [...(await report.compute(await books))];
}

/** rules/finance 5 and 40 */
describe('recurring revenue', () => {
  it('moves on the day of the accounting zone', async () => {
    const events = [[created, { zone: 'Europe/Berlin' }]] as const;
    expect(await compute(mrr, bookedIn('2026-01', events))).toEqual([]);
    expect(await compute(mrrMovements, bookedIn('2026-02', events))).toMatchObject([
      { effective_on: '2026-02-01', movement: 'new', event_id: 'e1', change_minor: 999n },
    ]);
  });

  it('is late, where its month was closed before: the closed month stays as it was', async () => {
    const events = [[created], [expired, { closedThrough: '2026-02' }]] as const;
    const closing = async (period: string) => {
      const [row] = await compute(mrr, bookedIn(period, events));
      return [row?.['churn_minor'], row?.['closing_minor']];
    };
    expect(await closing('2026-02')).toEqual([0n, 999n]);
    expect(await closing('2026-03')).toEqual([-999n, 0n]);
    expect(await compute(mrrMovements, bookedIn('2026-03', events))).toMatchObject([
      { effective_on: '2026-01-31', movement: 'churn', event_id: 'e2' },
    ]);
  });
});
