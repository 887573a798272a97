import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCommandExecutor, type EventStore, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { FakeCluster } from '../../support/cluster/fake-cluster.js';
import { eventually } from '../../support/eventually.js';
import { added, collect, context, counter, RestartableStore } from './support.js';

/** A fifth of the usual: a silent node is left after 400 ms here. */
const watchTickMs = 50;
/** The longest failover here: to notice twice, and a second for a frozen node that is asked for the leader. */
const SOON_MS = 4_000;

let server: RestartableStore;
let cluster: FakeCluster;
let store: EventStore;
/** Straight to the store. */
let observer: EventStore;
let streams = 0;
let streamName: string;

beforeAll(async () => {
  server = await RestartableStore.start({ insecure: true });
  observer = connectEventStore(server.connectionString);
});
afterAll(async () => {
  await observer.dispose();
  await server.remove();
});
beforeEach(async () => {
  streamName = `failover-${(streams += 1)}`;
  cluster = await FakeCluster.before(server.port);
  store = connectEventStore(cluster.connectionString, { watchTickMs });
  await store.append(streamName, 'no_stream', [added()]);
});
afterEach(async () => {
  await store.dispose();
  await cluster.stop();
});

type AppendResult = Awaited<ReturnType<EventStore['append']>>;

/** Appends one event, and says how long that took. */
async function appendAfter(revision: number): Promise<number> {
  const startedAt = performance.now();
  expect(await store.append(streamName, revision, [added()])).toMatchObject({
    revision: revision + 1,
  });
  return performance.now() - startedAt;
}

describe('an append is answered by the next leader', () => {
  it('when the leader freezes in the middle of a connection', async () => {
    cluster.leader.door.freeze();
    cluster.elect(1);
    expect(await appendAfter(0)).toBeLessThan(SOON_MS);
    expect(cluster.member(1).door.connections).toBeGreaterThan(0);
  });

  it('when its connection freezes, and a new one to the same node is whole', async () => {
    cluster.leader.door.freezeConnections();
    expect(await appendAfter(0)).toBeLessThan(SOON_MS / 2);
  });

  it('over a connection of its own, which no other client of the process holds', async () => {
    // grpc-js gives channels with the same options one connection, the frozen one if another channel still has it.
    const before = cluster.leader.door.established;
    const other = connectEventStore(cluster.connectionString, { watchTickMs });
    await other.headRevision(streamName);
    expect(cluster.leader.door.established).toBe(before + 1);
    await other.dispose();
  });

  it('when it is killed, and the others have no leader for a moment', async () => {
    await cluster.leader.door.shut();
    cluster.others('electing');
    const appending = appendAfter(0);
    await pause(400);
    cluster.elect(2);
    expect(await appending).toBeLessThan(400 + SOON_MS / 2);
  });

  it('when the node that leads no more answers that it is not ready', async () => {
    // With the usual ticks: the probe comes too late to help.
    await store.dispose();
    store = connectEventStore(cluster.connectionString);
    await appendAfter(0);
    cluster.elect(1);
    cluster.member(0).node.role = 'electing';
    expect(await appendAfter(1)).toBeLessThan(SOON_MS / 2);
  });

  it('when the node that leads no more says who leads', async () => {
    cluster.elect(1);
    cluster.member(0).node.role = 'follower';
    expect(await appendAfter(0)).toBeLessThan(SOON_MS / 2);
  });

  it('when a node takes appends, never answers them, and does not lead', async () => {
    // Its connection is alive: without the probe's question for the leader it would be waited for.
    cluster.elect(1);
    cluster.member(0).node.role = 'mute';
    await store.dispose();
    const single = `esdb://127.0.0.1:${cluster.member(0).door.port}?tls=false`;
    store = connectEventStore(single, { watchTickMs });
    expect(await appendAfter(0)).toBeLessThan(SOON_MS / 2);
  });
});

it('a command that has to read first is answered by the next leader', async () => {
  cluster.leader.door.freeze();
  cluster.elect(1);
  const answer = createCommandExecutor(store).execute(counter, streamName, { amount: 1 }, context);
  expect(await answer).toMatchObject({ accepted: true });
});

describe('a subscription over a frozen connection ends, so that it is made again elsewhere', () => {
  it('at the leader', async () => {
    const ended = await follow();
    cluster.leader.door.freeze();
    await expectSoon(ended());
  });

  it('at a node that the client has left, since it leads no more', async () => {
    const ended = await follow();
    cluster.elect(1);
    await appendAfter(0);
    cluster.member(0).door.freeze();
    await expectSoon(ended());
  });
});

/** Keepalive would end it, too, after 10 s or 20. */
async function expectSoon(ended: Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await expect(ended).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
}

/** Subscribes, and waits until it is live. @returns a promise of its end. */
async function follow(): Promise<() => Promise<unknown>> {
  let isCaughtUp = false;
  const feed = store.subscribe({
    categories: ['failover'],
    after: START,
    signal: new AbortController().signal,
    batchSize: 10,
    tellsEveryPosition: false,
    onCaughtUp: () => (isCaughtUp = true),
  });
  const ended = collect(feed);
  ended.catch(() => undefined);
  await eventually(() => isCaughtUp);
  return () => ended;
}

describe('a busy node is not left', () => {
  it('though each of its answers is late', async () => {
    cluster.leader.node.role = 'late';
    const before = countConnections();
    for (const revision of [0, 1, 2]) await appendAfter(revision);
    expect(countConnections()).toEqual(before);
  });

  it('though a thousand appends wait, and our own event loop is slow for seconds', async () => {
    const before = countConnections();
    const burst = appendThousand();
    // Traffic through the doors takes many turns of this loop, and more ticks than a silent node is given.
    for (let turn = 0; turn < 12; turn += 1) {
      standStill(3 * watchTickMs);
      await nextTurn();
    }
    await expectOnce(burst);
    expect(countConnections()).toEqual(before);
  });

  it('though a thousand appends wait, and our event loop stands still for longer than an attempt', async () => {
    await store.dispose();
    const appendLimits = { attemptMs: 1_000, retryForMs: 8_000 };
    store = connectEventStore(cluster.connectionString, { watchTickMs, appendLimits });
    await appendAfter(0);
    const before = countConnections();
    const burst = appendThousand();
    await nextTurn();
    standStill(1_300);
    await expectOnce(burst);
    expect(countConnections()).toEqual(before);
  });
});

function appendThousand(): Promise<readonly AppendResult[]> {
  return Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      store.append(`${streamName}-burst${index}`, 'no_stream', [added()]),
    ),
  );
}

async function expectOnce(burst: Promise<readonly AppendResult[]>): Promise<void> {
  expect((await burst).every(({ revision }) => revision === 0)).toBe(true);
  for (const index of [0, 500, 999]) {
    expect(await observer.headRevision(`${streamName}-burst${index}`)).toBe(0);
  }
}

function countConnections(): number[] {
  return cluster.members.map(({ door }) => door.connections);
}

function standStill(durationMs: number): void {
  const endsAt = performance.now() + durationMs;
  while (performance.now() < endsAt);
}
