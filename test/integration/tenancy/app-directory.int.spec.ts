import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appAggregate } from '#domain/app';
import { planCodeAggregate } from '#domain/plan';
import {
  connectEventStore,
  createCommandHandler,
  type Envelope,
  type EventStore,
} from '#event-store';
import { createLogger, wallClock } from '#platform';
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
    commands: createCommandHandler(own),
    clock: wallClock,
    tellsEveryPosition: false,
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

/** Another process creates an app, then reserves a code, which no directory is told of. */
async function elsewhere(appId: string): Promise<{ ofApp: string; after: string }> {
  const commands = createCommandHandler(others);
  const actor = 'operator:x';
  const envelope: Envelope = { appId, environment: 'test', actor, correlationId: 'r', now };
  const app = {
    appId,
    name: 'Gold Rush',
    environment: 'test',
    sealedIngressSecret: 'ingress',
    sealedApiKey: 'api',
    sealedTokenKey: 'token',
    tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
    createdAt: now,
  } as const;
  const created = await commands.handle(appAggregate, appId, { kind: 'CreateApp', app }, envelope);
  const reservation = { appId, segmentId: 'default', code: 'gold', planId: 'plan_1' };
  const reserve = { kind: 'ReservePlanCode', reservation } as const;
  const id = `${appId}/default/gold`;
  const reserved = await commands.handle(planCodeAggregate, id, reserve, envelope);
  if (!created.accepted || !reserved.accepted) throw new Error('a command was rejected');
  return { ofApp: created.position ?? '', after: reserved.position ?? '' };
}

describe('the memory of apps, where it is not told every position', () => {
  it.each(['app_00000001', 'app_00000002', 'app_00000003'])(
    'catches up to any position that others have written to: %s',
    async (appId) => {
      const { ofApp, after } = await elsewhere(appId);
      await directory.catchUpTo(after, LIMIT_MS);
      expect(directory.all().map((app) => app.appId)).toContain(appId);
      // Nothing is new now, and still it answers: memory itself has not come so far.
      await directory.catchUpTo(after, LIMIT_MS);
      await directory.catchUpTo(ofApp, LIMIT_MS);
    },
  );
});
