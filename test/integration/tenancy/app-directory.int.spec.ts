import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planCodeAggregate } from '#domain/plan';
import { createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { sleep } from '#platform';
import type { AppDirectory } from '#tenancy';
import { RestartableStore } from '../event-store/support.js';
import { contextFor, counted, createApp, openDirectory } from './support.js';

const LIMIT_MS = 90_000;
const closing = new AbortController();
let server: RestartableStore;
let own: EventStore;
let others: EventStore;
let directory: AppDirectory;

beforeAll(async () => {
  server = await RestartableStore.start();
  own = connectEventStore(server.connectionString);
  others = connectEventStore(server.connectionString);
  directory = await openDirectory(own, closing.signal);
});
afterAll(async () => {
  closing.abort();
  await own.dispose();
  await others.dispose();
  await server.remove();
});

/** Another process creates an app, then reserves a code, which no directory follows. */
async function elsewhere(appId: string): Promise<{ ofApp: string; after: string }> {
  const commands = createCommandExecutor(others);
  const ofApp = await createApp(commands, appId);
  const reservation = { appId, segmentId: 'default', code: 'gold', planId: 'plan_1' };
  const reserve = { kind: 'ReservePlanCode', reservation } as const;
  const id = `${appId}/default/gold`;
  const reserved = await commands.execute(planCodeAggregate, id, reserve, contextFor(appId));
  if (!reserved.accepted) throw new Error('a command was rejected');
  return { ofApp, after: reserved.position ?? '' };
}

describe('the memory of apps, where it is not told every position', () => {
  it.each(['app_00000001', 'app_00000002', 'app_00000003'])(
    'catches up to any position that others have written to: %s',
    async (appId) => {
      const { ofApp, after } = await elsewhere(appId);
      await directory.catchUpTo(after, LIMIT_MS);
      expect(directory.recall(appId)).toMatchObject({ appId });
      // Nothing is new now, and still it answers: memory itself has not come so far.
      await directory.catchUpTo(after, LIMIT_MS);
      await directory.catchUpTo(ofApp, LIMIT_MS);
    },
  );
});

/** More than are looked up in a second where nothing is found (rules/http 9); all have to be found within its 5 s. */
const BURST = 250;

describe('a start', () => {
  it('reads nothing of what is in the store, and answers for 250 apps that are asked for at once', async () => {
    const commands = createCommandExecutor(others);
    const ids = Array.from(
      { length: BURST },
      (_, n) => `app_burst000${String(n).padStart(4, '0')}`,
    );
    await Promise.all(ids.map((id) => createApp(commands, id)));
    const { store, count } = counted(own);
    const started = await openDirectory(store, closing.signal);
    expect(count).toEqual({ reads: 0, subscriptions: 1, delivered: 0 });
    const found = await Promise.all(ids.map((id) => started.find(id)));
    expect(found.map((app) => app?.appId)).toEqual(ids);
    expect(count).toEqual({ reads: BURST, subscriptions: 1, delivered: 0 });
    expect(started.recall(ids[0] ?? '')).toMatchObject({ appId: ids[0] });
  });
});

describe('an app that memory does not know', () => {
  const FLOOD = 2500;
  const { store, count } = counted({
    readStream: (...args: Parameters<EventStore['readStream']>) => own.readStream(...args),
    headPosition: () => own.headPosition(),
    subscribe: (...args: Parameters<EventStore['subscribe']>) => own.subscribe(...args),
  } as EventStore);
  let flooded: AppDirectory;

  beforeAll(async () => {
    flooded = await openDirectory(store, closing.signal);
  });
  beforeEach(async () => {
    // The lookups are counted by the second.
    await sleep(1100);
    count.reads = 0;
  });

  it('is looked up once, however often it is asked for', async () => {
    const asked = Array.from({ length: 200 }, async () => flooded.find('app_nobody00001'));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
    expect(await flooded.find('app_nobody00001')).toBeUndefined();
    expect(await flooded.find('nothing like an id')).toBeUndefined();
    expect(count.reads).toBe(1);
  });

  it('is found at once when another process has just created it, also in a flood of others', async () => {
    const ids = Array.from({ length: FLOOD }, (_, n) => `app_nobody1${String(n).padStart(4, '0')}`);
    const unknown = ids.map(async (id) => flooded.find(id));
    void Promise.allSettled(unknown);
    await elsewhere('app_00000004');
    expect(await flooded.find('app_00000004')).toMatchObject({ appId: 'app_00000004' });
    expect(await unknown[0]).toBeUndefined();
    // Nothing is known of an app whose look-up had to wait for too long: that is no answer that there is no such app.
    await expect(unknown[100]).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(count.reads).toBeGreaterThan(0);
    expect(count.reads).toBeLessThan(FLOOD / 3);
  });
});
