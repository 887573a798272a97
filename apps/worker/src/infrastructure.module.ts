import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { EVENT_TYPES } from '#domain/event-types';
import {
  type CommandExecutor,
  connectEventStore,
  createCommandExecutor,
  ensureStoreIdentity,
  type EventStore,
} from '#event-store';
import { SANDBOX_EVENT_TYPES } from '#gateway';
import { type Log, retry, type Shutdown, wallClock } from '#platform';
import { createReadModels } from '#projection-engine';
import { type AppDirectory, openAppDirectory } from '#tenancy';
import type { WorkerConfig } from './config.js';
import { STORE_START_LIMIT_MS } from './limits.js';
import { Notices } from './feed/progress-notifier.js';
import { PROGRESS_MARKED } from './feed/delivery-checkpoint.js';
import { connectRedis, connectWorkers, ofRedis } from './redis/connect.js';
import { keysOf, LAST_STORE_KEY } from './redis/keys.js';
import {
  APPS,
  COMMANDS,
  CONFIG,
  EVENT_STORE,
  KEYS,
  LOG,
  READ_MODELS,
  REDIS,
  SHUTDOWN,
  WORKERS_REDIS,
} from './tokens.js';

/** Connections and what is kept in memory of the tenants: one of each for the whole process. */
@Global()
@Module({})
export class InfrastructureModule {
  static with(config: WorkerConfig, log: Log, shutdown: Shutdown): DynamicModule {
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: LOG, useValue: log },
      { provide: SHUTDOWN, useValue: shutdown },
      { provide: EVENT_STORE, useFactory: () => openStore(config, shutdown) },
      {
        provide: COMMANDS,
        useFactory: (store: EventStore) => createCommandExecutor(store),
        inject: [EVENT_STORE],
      },
      {
        provide: APPS,
        useFactory: (store: EventStore, commands: CommandExecutor): Promise<AppDirectory> => {
          // A batch that is under way when a stop begins may wait for it: it ends after the loops.
          const following = new AbortController();
          shutdown.add('following the apps', () => following.abort());
          return openAppDirectory({
            store,
            commands,
            clock: wallClock,
            tellsEveryPosition: true,
            signal: following.signal,
            log,
          });
        },
        inject: [EVENT_STORE, COMMANDS],
      },
      { provide: READ_MODELS, useFactory: () => openReadModels(config, shutdown) },
      { provide: REDIS, useFactory: () => opened(connectRedis(config.redisUrl), shutdown) },
      {
        provide: WORKERS_REDIS,
        useFactory: () => opened(connectWorkers(config.redisUrl), shutdown),
      },
      {
        provide: KEYS,
        useFactory: async (store: EventStore, redis: Redis) => {
          const storeId = await identityOf(store, shutdown);
          await tellAnotherStore(redis, storeId, log);
          return keysOf(storeId);
        },
        inject: [EVENT_STORE, REDIS],
      },
      Notices,
    ];
    const exported = providers.map((provider) =>
      typeof provider === 'function' ? provider : provider.provide,
    );
    return { module: InfrastructureModule, providers, exports: exported };
  }
}

/** An event of a type that is not named here was written by a newer release: its stream is parked. */
function openStore(config: WorkerConfig, shutdown: Shutdown): EventStore {
  const knownTypes = [...EVENT_TYPES, ...SANDBOX_EVENT_TYPES, PROGRESS_MARKED];
  const store = connectEventStore(config.eventStoreUrl, { knownTypes });
  shutdown.add('event store', () => store.dispose());
  return store;
}

function openReadModels(config: WorkerConfig, shutdown: Shutdown) {
  const readModels = createReadModels({ redis: config.redisUrl });
  shutdown.add('read models', () => readModels.close());
  return readModels;
}

function opened(redis: Redis, shutdown: Shutdown): Redis {
  shutdown.add('redis', () => redis.disconnect());
  return redis;
}

function identityOf(store: EventStore, { signal }: Shutdown): Promise<string> {
  const options = { deadlineMs: STORE_START_LIMIT_MS, baseMs: 50, capMs: 1_000, signal };
  return retry(() => ensureStoreIdentity(store), options);
}

/** Redis may have served another store before: what it holds of that one is left alone, and said. */
async function tellAnotherStore(redis: Redis, storeId: string, log: Log): Promise<void> {
  const before = await ofRedis(redis.getset(LAST_STORE_KEY, storeId)).catch(() => null);
  if (before === null || before === storeId) return;
  log.warn({ storeId, before }, 'this Redis was last used with another store; its jobs stay apart');
}
