import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { subscriptionAggregate, type SubscriptionCommand } from '#domain/subscription';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  type FindDocument,
} from '#event-store';
import { createLogger } from '#platform';
import { createReadModels, type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { openStreamDocuments } from '../../../apps/api/src/commands/stream-documents.js';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  openReadModels,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionReactivated,
  TestStore,
} from '../projection-engine/support.js';

/** Longer than a busy machine takes: what is waited for comes. */
const WAIT = { timeoutMs: 30_000 };
const NOW = '2026-02-03T10:00:00.000Z';
const context: CommandContext = {
  ...{ appId: 'app_1', environment: 'test', actor: 'app', correlationId: 'request-1', now: NOW },
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
};
const keyed: CommandContext = { ...context, commandId: 'key-1', commandHash: 'hash-1' };
const CANCEL = { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: NOW } as const;
const REACTIVATE = { kind: 'ReactivateSubscription', now: NOW } as const;
const log = createLogger('test', { level: 'silent' });
const personal = { referenceId: 'p1.sealed.reference', metadata: 'p1.sealed.metadata' };

let redis: RunningRedis;
let store: TestStore;
let projector: Awaited<ReturnType<typeof startProjector>>;
let readModels: ReadModels;
/** The streams that were read. */
let read: string[];
let count = 0;

beforeAll(async () => {
  [redis, store] = await Promise.all([startRedis(), TestStore.start()]);
  projector = await startProjector(store, redis.url);
  readModels = openReadModels(store, redis.url);
});
afterAll(async () => {
  await readModels.close();
  await projector.stop();
  await Promise.all([redis.stop(), store.stop()]);
});
beforeEach(() => {
  read = [];
});

/** A process that has read no stream yet, and waits for documents for as long as a busy machine takes. */
function startExecutor(
  findDocument: FindDocument = openStreamDocuments(readModels, log, WAIT.timeoutMs),
) {
  const { client } = store;
  const counted: Pick<EventStore, 'append' | 'readStream'> = {
    append: (...append) => client.append(...append),
    readStream: (...wanted) => {
      read.push(wanted[0]);
      return client.readStream(...wanted);
    },
  };
  // Commands need no more of a store.
  return createCommandExecutor(counted as EventStore, { findDocument });
}

/** A subscription that was canceled and reactivated, in store and read model. */
async function subscribe(): Promise<string> {
  const id = `sub_${(count += 1)}`;
  const events = [subscriptionCreated(id, undefined, { personal }), subscriptionCanceled];
  await store.append(`subscription-${id}`, events);
  await readModels.waitFor(
    await store.append(`subscription-${id}`, [subscriptionReactivated], {
      ...{ commandId: 'key-0', commandHash: 'hash-0' },
    }),
    WAIT,
  );
  return id;
}

function run(
  executor: CommandExecutor,
  id: string,
  command: SubscriptionCommand,
  by: CommandContext = context,
) {
  return executor.execute(subscriptionAggregate, id, command, by);
}

describe('a command on a subscription that its process has not read', () => {
  it('is decided on the document, and leaves what it would have left', async () => {
    const id = await subscribe();
    const result = await run(startExecutor(), id, CANCEL, keyed);
    expect(read).toEqual([]);
    expect(result).toMatchObject({ accepted: true, revision: 3 });
    const { state } = await createCommandExecutor(store.client).load(subscriptionAggregate, id);
    expect(state).toMatchObject({ status: 'canceled', personal });
    expect(result).toMatchObject({ state });
  });

  it('is done once for a key, in any process', async () => {
    const id = await subscribe();
    const first = await run(startExecutor(), id, CANCEL, keyed);
    // The document does not know of it yet, or knows it by now.
    const early = await run(startExecutor(), id, CANCEL, keyed);
    await readModels.waitFor(await store.client.headPosition(), WAIT);
    const late = await run(startExecutor(), id, CANCEL, keyed);
    const state = first.accepted && first.state;
    const again = { accepted: true, replayed: true, revision: 3, state };
    for (const answer of [early, late]) expect(answer).toMatchObject(again);
    expect(await store.client.headRevision(`subscription-${id}`)).toBe(3);
    const former = { ...keyed, commandId: 'key-0', commandHash: 'hash-0' };
    expect(await run(startExecutor(), id, REACTIVATE, former)).toMatchObject({
      ...{ accepted: true, replayed: true, revision: 2 },
    });
  });

  it('is decided anew where the projector is behind', async () => {
    const id = await subscribe();
    await projector.stop();
    await run(createCommandExecutor(store.client), id, CANCEL);
    const result = await run(startExecutor(), id, REACTIVATE);
    expect(result).toMatchObject({ accepted: true, revision: 4, state: { status: 'active' } });
    expect(read).toEqual([`subscription-${id}`]);
    projector = await startProjector(store, redis.url);
  });

  it('reads the stream while a read model of another version, or of a restored ledger, is built', async () => {
    const next = { ...subscriptions, version: subscriptions.version + 1 };
    const restored = { ...store.identity, layoutId: `${store.identity.layoutId}-restored` };
    for (const [projection, identity] of [
      [next, store.identity],
      [subscriptions, restored],
    ] as const) {
      const others = createReadModels({ redis: redis.url, identity, projections: [projection] });
      const id = await subscribe();
      const result = await run(
        startExecutor(openStreamDocuments(others, log, WAIT.timeoutMs)),
        id,
        CANCEL,
      );
      expect(result).toMatchObject({ accepted: true, revision: 3 });
      expect(read).toEqual([`subscription-${id}`]);
      read.length = 0;
      await others.close();
    }
  });

  it('reads the stream while Redis stands still or is away, and waits for it once', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, subscribe));
    const find = openStreamDocuments(readModels, log);
    const executor = startExecutor(find);
    redis.pause();
    try {
      for (const id of ids.slice(0, 3)) {
        expect(await run(executor, id, CANCEL)).toMatchObject({ accepted: true, revision: 3 });
      }
    } finally {
      redis.resume();
    }
    expect(read).toHaveLength(3);
    const [, , , last = ''] = ids;
    await eventually(async () => (await find('subscription', last)) !== undefined);
    expect(await run(executor, last, CANCEL)).toMatchObject({ accepted: true, revision: 3 });
    expect(read).toHaveLength(3);
  });
});
