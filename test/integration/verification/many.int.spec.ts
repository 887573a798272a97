import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { ManyStreamsRecipe, Projection } from '#projection-engine/define';
import { projections } from '#projections';
import { writeHistories } from '../../bench/histories.js';
import { startProjector } from '../projection-engine/support.js';
import { BuiltLedger, nameDifferences } from './support.js';

const CAPTURED = 'payment.captured.v1';
const dayIn = (event: RecordedEvent) =>
  (event.data as { readonly capturedAt: string }).capturedAt.slice(0, 10);

/** How many payments were captured on a day, in any partition. */
const days: Projection<number> = {
  name: 'captures-by-day',
  version: 1,
  categories: ['payment'],
  eventTypes: [CAPTURED],
  ignoredTypes: ['payment.requested.v3'],
  documents: {
    of: 'key',
    key: (event) => ['day', dayIn(event)],
    merge: (parts) => parts.reduce((sum, part) => sum + part, 0),
  },
  initialState: 0,
  project: (before) => before + 1,
  indexes: (id, count) => [{ index: ['by-count'], member: id, score: count }],
  recipe: {
    of: 'many',
    initial: [],
    find: (event) => (event.type === CAPTURED ? `day:${dayIn(event)}` : undefined),
    fold: (before, { position }) => [...before, position],
    render: (id, { length }) => ({
      state: length,
      entries: [{ index: ['by-count'], member: id, score: length }],
    }),
    findId: (_, member) => member,
  } satisfies ManyStreamsRecipe<readonly string[]>,
  queries: () => ({}),
};

describe('a read model in whose documents streams meet', () => {
  const all = [...projections, days];
  let ledger: BuiltLedger;
  let id: string;
  let keys: Awaited<ReturnType<BuiltLedger['findKeys']>>;

  beforeAll(async () => {
    ledger = await BuiltLedger.build(all);
    id = 'day:2026-01-31';
    keys = await ledger.findKeys(days, id);
  });
  afterAll(() => ledger.stop());

  const ways = [
    ['a sample', () => ledger.sample(days)],
    ['all at once', () => ledger.full(days)],
    ['all in parts', () => ledger.full(days, 1)],
  ] as const;

  it.each(ways)('is compared by %s at the checkpoints of its partitions', async (_, verify) => {
    const report = await verify();
    expect(report).toMatchObject({ differences: [], uncompared: 0, parked: 0 });
    // Three days, in each of the partitions that have events.
    expect(report.checked).toBeGreaterThanOrEqual(3);
  });

  it.each(ways)('is named by %s where a document, or an entry, was altered', async (_, verify) => {
    const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
    const [revision, position, count] = JSON.parse(text) as [number, string, number];
    for (const [field, altered] of [
      ['', [revision, position, count + 1]],
      ['revision', [revision - 1, position, count]],
      ['position', [revision, '0', count]],
    ] as const) {
      await ledger.redis.hset(keys.documents, id, JSON.stringify(altered));
      expect(nameDifferences(await verify())).toContain(`document of ${id}: ${field}`);
    }
    await ledger.redis.hset(keys.documents, id, text);
    await ledger.redis.zadd(keys.index(['by-count']), count + 1, id);
    expect(nameDifferences(await verify())).toEqual([`list entry of ${id}: by-count ${id}`]);
    await ledger.redis.zadd(keys.index(['by-count']), count, id);
  });

  it.each(ways.slice(1))(
    'is named by %s where a document is missing, or should not be',
    async (_, verify) => {
      const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
      await ledger.redis.hdel(keys.documents, id);
      expect(nameDifferences(await verify())).toContain(`missing of ${id}: `);
      await ledger.redis.hset(keys.documents, id, text);
      await ledger.redis.hset(keys.documents, 'day:never', text);
      expect(nameDifferences(await verify())).toEqual(['unexpected of day:never: ']);
      await ledger.redis.hdel(keys.documents, 'day:never');
    },
  );

  it('has no difference while events are applied', async () => {
    const projector = await startProjector(ledger.store, ledger.redisUrl, { projections: all });
    const before = await ledger.store.client.headPosition();
    for (let round = 0; round < 20; round += 1) {
      const verify = async () => [await ledger.sample(days), await ledger.full(days)];
      const writing = writeHistories(ledger.store.client, 1, { payments: 2 });
      const [reports] = await Promise.all([verify(), writing]);
      expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    }
    await projector.stop();
    expect((await ledger.store.client.headPosition()) > before).toBe(true);
    // Nothing changes any more, so that something is said of each document.
    expect(await ledger.full(days)).toMatchObject({ differences: [], uncompared: 0 });
  });

  it('leaves out events of parked streams', async () => {
    await ledger.store.append('payment-pay_parked', [{ type: 'payment.unheard.v1', data: {} }]);
    await ledger.store.append('payment-pay_parked', [
      {
        type: CAPTURED,
        data: { capturedAt: '2026-01-31T12:00:00.000Z', paymentMethodSubType: '', issuerBank: '' },
      },
    ]);
    await ledger.project(all);
    for (const [, verify] of ways) {
      expect(await verify()).toMatchObject({ parked: 1, differences: [], uncompared: 0 });
    }
  });
});
