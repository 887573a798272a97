import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NestFactory } from '@nestjs/core';
import { createCommandExecutor } from '#event-store';
import { APP_DIRECTORY } from '#nest';
import { newAppId, sleep, wallClock } from '#platform';
import { apps } from '#projections';
import type { AppDirectory } from '#tenancy';
import { readApiConfig } from '../../../apps/api/src/config.js';
import { openConnections } from '../../../apps/api/src/connections.module.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { startProjector, TestStore } from '../projection-engine/support.js';
import { createApp, silent } from './support.js';

/** As many as the API had not met when some of them were refused. */
const APPS = 251;
/** Ids that are none, looked up in a second (rules/http 9). */
const LOOKED_UP = 100;
/** More than that. */
const MADE_UP = 150;
/** Made-up ids that come in each tenth of a second from then on. */
const MADE_UP_MORE = 30;

/** An API's knowledge of apps just after its start. */
interface StartedApi {
  readonly directory: AppDirectory;
  stop(): Promise<void>;
}

async function startApi(eventStoreUrl: string, redisUrl: string): Promise<StartedApi> {
  const stopping = new AbortController();
  const config = readApiConfig({
    ...{ EVENTSTOREDB_URL: eventStoreUrl, REDIS_URL: redisUrl },
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const shutdown = { signal: stopping.signal, add: () => undefined, stop: async () => 0 };
  const modules = await openConnections(config, silent, shutdown);
  // Without the routes, which are not asked here.
  class StartedModule {}
  const root = { module: StartedModule, imports: modules };
  const app = await NestFactory.createApplicationContext(root, { logger: false });
  return {
    directory: app.get<AppDirectory>(APP_DIRECTORY),
    stop: async () => {
      stopping.abort();
      await app.close();
    },
  };
}

/**
 * Made-up ids that come on and on. @returns the function that ends that, waits, and says when the store had answered
 * each.
 */
function flood(directory: AppDirectory): () => Promise<number[]> {
  const answeredAtMs: number[] = [];
  const note = () => void answeredAtMs.push(performance.now());
  const asked: Promise<unknown>[] = [];
  const ask = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const id = `app_madeup${String(asked.length).padStart(8, '0')}`;
      asked.push(directory.find(id).then(note, () => undefined));
    }
  };
  ask(MADE_UP);
  const timer = setInterval(() => ask(MADE_UP_MORE), 100);
  return async () => {
    clearInterval(timer);
    await Promise.all(asked);
    return answeredAtMs;
  };
}

describe('an API in a flood of made-up ids', () => {
  let store: TestStore;
  let redis: RunningRedis;
  let ids: string[];

  beforeAll(async () => {
    [store, redis] = await Promise.all([
      TestStore.start({ more: ['app.created.v1'] }),
      startRedis(),
    ]);
    const commands = createCommandExecutor(store.client);
    ids = Array.from({ length: APPS }, () => newAppId(wallClock.now()));
    await Promise.all(ids.map((id) => createApp(commands, id)));
  });
  afterAll(async () => {
    await store.stop();
    await redis.stop();
  });

  it('answers for every app that the read model lists, of which it has met none', async () => {
    const projector = await startProjector(store, redis.url, { projections: [apps] });
    const api = await startApi(store.connectionString, redis.url);
    const end = flood(api.directory);
    await sleep(200);
    const found = await Promise.allSettled(ids.map((id) => api.directory.find(id)));
    await end();
    const answered = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(answered.map((app) => app?.appId)).toEqual(ids);
    await api.stop();
    await projector.stop();
  });

  it('falls back to its bound where Redis is empty', async () => {
    await redis.command('FLUSHALL');
    const api = await startApi(store.connectionString, redis.url);
    const ended = flood(api.directory)();
    // The newest is looked up first, when there is room.
    expect(await api.directory.find(ids[0] ?? '')).toMatchObject({ appId: ids[0] });
    const answeredAtMs = await ended;
    expect(answeredAtMs.length).toBeGreaterThan(LOOKED_UP);
    const [first = 0] = answeredAtMs;
    // The timer may be a little early.
    expect((answeredAtMs[LOOKED_UP] ?? 0) - first).toBeGreaterThan(990);
    await api.stop();
  });
});
