import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appAggregate } from '#domain/app';
import { planCodeAggregate } from '#domain/plan';
import { createCommandExecutor, type CommandContext, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger, sleep, wallClock } from '#platform';
import { type AppDirectory, openAppDirectory } from '#tenancy';
import { RestartableStore } from '../event-store/support.js';

const LIMIT_MS = 90_000;
const now = '2027-01-31T10:00:00.000Z';
const closing = new AbortController();
let server: RestartableStore;
let own: EventStore;
let others: EventStore;
let directory: AppDirectory;

beforeAll(async () => {
  server = await RestartableStore.start();
  own = connectEventStore(server.connectionString);
  others = connectEventStore(server.connectionString);
  directory = await openAppDirectory({
    store: own,
    commands: createCommandExecutor(own),
    clock: wallClock,
    signal: closing.signal,
    log: createLogger('test', { level: 'silent' }),
  });
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
  const actor = 'operator:x';
  const context: CommandContext = { appId, environment: 'test', actor, correlationId: 'r', now };
  const app = {
    appId,
    name: 'Gold Rush',
    environment: 'test',
    sealedIngressSecret: 'ingress',
    sealedApiKey: 'api',
    sealedTokenKey: 'token',
    sealedPseudonymKey: 'sealed-5',
    tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
    createdAt: now,
  } as const;
  const created = await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
  const reservation = { appId, segmentId: 'default', code: 'gold', planId: 'plan_1' };
  const reserve = { kind: 'ReservePlanCode', reservation } as const;
  const id = `${appId}/default/gold`;
  const reserved = await commands.execute(planCodeAggregate, id, reserve, context);
  if (!created.accepted || !reserved.accepted) throw new Error('a command was rejected');
  return { ofApp: created.position ?? '', after: reserved.position ?? '' };
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

describe('an app that memory does not know', () => {
  const FLOOD = 1000;
  let reads = 0;
  let flooded: AppDirectory;

  beforeAll(async () => {
    const counting: EventStore = {
      append: (...args) => own.append(...args),
      readStream: (...args) => {
        reads += 1;
        return own.readStream(...args);
      },
      headRevision: (...args) => own.headRevision(...args),
      headPosition: () => own.headPosition(),
      hasEventAt: (position) => own.hasEventAt(position),
      subscribe: (...args) => own.subscribe(...args),
      ping: () => own.ping(),
      dispose: () => own.dispose(),
    };
    flooded = await openAppDirectory({
      store: counting,
      commands: createCommandExecutor(counting),
      clock: wallClock,
      signal: closing.signal,
      log: createLogger('test', { level: 'silent' }),
    });
  });
  beforeEach(async () => {
    // A second is what the lookups are counted by.
    await sleep(1100);
    reads = 0;
  });

  it('is looked up once, however often it is asked for', async () => {
    const asked = Array.from({ length: 200 }, async () => flooded.find('app_nobody00001'));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
    expect(await flooded.find('app_nobody00001')).toBeUndefined();
    expect(await flooded.find('nothing like an id')).toBeUndefined();
    expect(reads).toBe(1);
  });

  it('is found at once when another process has just created it, also in a flood of others', async () => {
    const ids = Array.from({ length: FLOOD }, (_, n) => `app_nobody1${String(n).padStart(4, '0')}`);
    const unknown = Promise.all(ids.map(async (id) => flooded.find(id)));
    await elsewhere('app_00000004');
    expect(await flooded.find('app_00000004')).toMatchObject({ appId: 'app_00000004' });
    expect((await unknown).filter((found) => found !== undefined)).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(FLOOD / 3);
  });
});
