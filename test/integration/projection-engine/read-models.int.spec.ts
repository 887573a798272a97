import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlayerBucket } from '#domain/ids';
import { type ReadModels } from '#projection-engine';
import { dueDates, payments, subscriptions } from '#projections';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  nameId,
  paymentCaptured,
  paymentRequested,
  readCount,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionExpired,
  TestStore,
  openReadModels,
} from './support.js';

/** Longer than a busy machine takes: the awaited event comes. */
const WAIT = { timeoutMs: 30_000 };
/** Pseudonyms, in two partitions where there are several. */
const PLAYERS = ['0fd1e84b7796ab30c2d4e5f6015f2a9c', 'c4d1e84b7796ab30c2d4e5f6015f2a9c'];

/** Questions must not depend on the number of partitions. */
describe.each([1, 16])('read models in %i partition(s)', (partitions) => {
  let redis: RunningRedis;
  let store: TestStore;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  let readModels: ReadModels;

  beforeAll(async () => {
    [redis, store] = await Promise.all([startRedis(), TestStore.start({ partitions })]);
    projector = await startProjector(store, redis.url);
    readModels = openReadModels(store, redis.url);
  });

  afterAll(async () => {
    await readModels.close();
    await projector.stop();
    await Promise.all([redis.stop(), store.stop()]);
  });

  it('shows a subscription at the revision of its stream', async () => {
    const position = await store.append('subscription-sub_1', [
      subscriptionCreated('sub_1'),
      subscriptionCanceled,
    ]);
    await readModels.waitFor(position, WAIT);
    expect(await readModels.ask(subscriptions).byId('sub_1')).toMatchObject({
      revision: 1,
      state: { status: 'canceled', canceledAt: '2026-02-01T10:00:00.000Z' },
    });
    expect(await readModels.ask(subscriptions).byId('sub_unknown')).toBeUndefined();
  });

  it('lists the subscriptions of a player, or of an app, by status and newest first', async () => {
    const appId = 'app_lists';
    const names = new Map<string, string>();
    let position = '';
    for (let day = 1; day <= 6; day += 1) {
      const player = PLAYERS[day % 2] ?? '';
      const id = nameId('sub', `${7 - day}`, readPlayerBucket(player));
      names.set(id, `${7 - day}`);
      const created = subscriptionCreated(id, `2026-01-0${day}T00:00:00.000Z`, {
        appId,
        player,
      });
      const events = day === 6 ? [created, subscriptionExpired] : [created];
      position = await store.append(`subscription-${id}`, events, { appId, player });
    }
    await readModels.waitFor(position, WAIT);
    const list = async (filter: object, limit = 10) => {
      const page = await readModels.ask(subscriptions).list(appId, { limit, ...filter });
      return page.documents.map(({ state }) => names.get(state.subscriptionId)).join('');
    };
    // The days rise while the ids fall: it is the time of creation that orders.
    expect(await list({})).toBe('123456');
    expect(await list({ status: 'expired' })).toBe('1');
    expect(await list({ player: PLAYERS[1] })).toBe('246');
    expect(await list({ player: PLAYERS[0], status: 'active' })).toBe('35');
    expect(await list({ player: 'c0ffee' })).toBe('');
    const due = readModels.ask(dueDates);
    const until = '2026-02-28T10:00:00.000Z';
    expect(await due.inTestApp(appId, { until, limit: 3 })).toHaveLength(3);
    const [last] = await due.inTestApp(appId, { until, limit: 3, offset: 4 });
    expect(last).toMatchObject({ appId, dueAt: until });
    expect(await due.inTestApp(appId, { until, limit: 3, offset: 5 })).toEqual([]);
    const before = '2026-02-28T09:59:59.999Z';
    expect(await due.inTestApp(appId, { until: before, limit: 3 })).toEqual([]);
    // Those of all apps are in one list.
    expect(await due.all({ until, limit: 100 })).toHaveLength(6);
    const inPartitions = readModels.partitions.numbers.map((partition) =>
      due.inTestApp(appId, { partition, until, limit: 10 }),
    );
    const parts = (await Promise.all(inPartitions)).map((part) =>
      part.map(({ subjectId }) => readModels.partitions.find(subjectId)),
    );
    expect(parts.flat()).toHaveLength(5);
    for (const [number, part] of parts.entries()) {
      expect(new Set([number, ...part])).toEqual(new Set([number]));
    }
  });

  it('pages without a gap or a repetition while new payments arrive', async () => {
    const subscriptionId = nameId('sub', 'paged', '9c');
    const payment = (number: number) => nameId('pay', `${number}`, '9c');
    const at = (number: number) => new Date(1_770_000_000_000 + number * 1_000).toISOString();
    const add = (number: number, periodNumber = 2) =>
      store.append(`payment-${payment(number)}`, [
        paymentRequested(payment(number), subscriptionId, at(number), periodNumber),
      ]);
    for (let number = 0; number < 7; number += 1) await add(number);
    await add(7, 1);
    const declined = {
      type: 'payment.declined.v1',
      data: {
        reason: 'card_declined',
        declineClass: 'soft',
        rawDeclineCode: '05',
        paymentMethodSubType: '',
        issuerBank: '',
        failedAt: at(8),
      },
    };
    await readModels.waitFor(await store.append(`payment-${payment(7)}`, [declined]), WAIT);

    const seen: string[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const page = await readModels.ask(payments).list(subscriptionId, { limit: 3, after });
      seen.push(...page.documents.map(({ state }) => state.paymentId));
      after = page.nextAfter;
      pages += 1;
      await readModels.waitFor(await add(100 + pages), WAIT);
    } while (after !== undefined);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map(payment));
    expect(pages).toBe(3);
    // The same where nothing arrives meanwhile, with pages of any length.
    for (const limit of [2, 3, 7]) {
      const list = (behind?: string) =>
        readModels.ask(payments).list(subscriptionId, { limit, after: behind });
      const first = await list();
      expect(first.documents).toHaveLength(limit);
      const next = await list(first.nextAfter);
      const shown = [...first.documents, ...next.documents].map(({ state }) => state.paymentId);
      expect(new Set(shown).size).toBe(Math.min(2 * limit, 10));
    }
    expect((await readModels.ask(payments).byId(payment(7)))?.state.status).toBe('FAILED');
  });

  it('shows a page that is remembered as it is by now, and makes it anew only where it has changed', async () => {
    const subscriptionId = nameId('sub', 'seen', '9c');
    const [paymentId, otherId] = ['seen', 'other'].map((name) => nameId('pay', name, '9c')) as [
      string,
      string,
    ];
    const list = () => readModels.ask(payments).list(subscriptionId, { limit: 10 });
    const requested = await store.append(`payment-${paymentId}`, [
      paymentRequested(paymentId, subscriptionId, '2026-03-01T00:00:00.000Z'),
    ]);
    await readModels.waitFor(requested, WAIT);
    // It is remembered when it is asked for again.
    await list();
    const before = await list();
    expect(before.documents.map(({ state }) => state.status)).toEqual(['PENDING']);
    expect(await list()).toBe(before);

    const captured = await store.append(`payment-${paymentId}`, [paymentCaptured]);
    await readModels.waitFor(captured, WAIT);
    expect((await list()).documents.map(({ state }) => state.status)).toEqual(['SUCCEEDED']);

    // The partition moves on by another one's payment.
    const others = await store.append(`payment-${otherId}`, [
      paymentRequested(otherId, 'sub_other', '2026-03-02T00:00:00.000Z'),
    ]);
    const after = await list();
    await readModels.waitFor(others, WAIT);
    expect(await list()).toBe(after);
  });

  it('moves the watermark past events of no read model, and past idle partitions', async () => {
    const position = await store.append('app-app_9', [{ type: 'app.created.v1', data: {} }]);
    await readModels.waitFor(position, WAIT);
    expect((await readModels.watermark()) >= position).toBe(true);
  });

  it('reaches a fresh position in a partition in which nothing happens, in a busy store too', async () => {
    const idle = readModels.partitions.numbers.at(-1) ?? 0;
    const fenced = await readCount('fenced');
    for (let round = 0; round < 30; round += 1) {
      const id = nameId('sub', `busy ${round}`, '00');
      const position = await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
      await readModels.waitFor(position, { ...WAIT, partitions: [idle] });
      expect((await readModels.watermark(idle)) >= position).toBe(true);
    }
    // Its own writes do not get in each other's way.
    expect(await readCount('fenced')).toBe(fenced);
  });

  it('says in time when a position is not reached', async () => {
    const beyond = '99999999999999999999';
    await expect(readModels.waitFor(beyond, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
  });
});
