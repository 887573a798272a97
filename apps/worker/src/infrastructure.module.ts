import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
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
import { createReadModels, type ReadModels } from '#projection-engine';
import { redisReply } from '#redis';
import { type AppDirectory, openAppDirectory } from '#tenancy';
import type { WorkerConfig } from './config.js';
import { DELIVERY_CHECKPOINT_RECORDED } from './feed/delivery-checkpoint.js';
import type { JobConnections } from './jobs/job-queue.js';
import { STORE_START_LIMIT_MS } from './limits.js';
import { connectRedis, connectWorkers } from './redis/connect.js';
import { LAST_STORE_KEY, type WorkerKeys, workerKeys } from './redis/keys.js';
import {
  APPS,
  COMMANDS,
  CONFIG,
  EVENT_STORE,
  JOB_CONNECTIONS,
  KEYS,
  LOG,
  READ_MODELS,
  REDIS,
  SHUTDOWN,
} from './tokens.js';

/** Ends the following of the apps: a batch that is under way when a stop begins may wait for it. */
const FOLLOWING = Symbol('following the apps');

/** Connections and what is kept in memory of the tenants: one of each for the whole process. */
@Global()
@Module({})
export class InfrastructureModule implements OnApplicationShutdown {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(JOB_CONNECTIONS) private readonly connections: JobConnections,
    @Inject(FOLLOWING) private readonly following: AbortController,
  ) {}

  static with(config: WorkerConfig, log: Log, shutdown: Shutdown): DynamicModule {
    const values: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: LOG, useValue: log },
      { provide: SHUTDOWN, useValue: shutdown },
    ];
    const providers = [...values, ...CONNECTIONS, ...TENANTS];
    const exported = providers.map((provider) =>
      typeof provider === 'function' ? provider : provider.provide,
    );
    return { module: InfrastructureModule, providers, exports: exported };
  }

  /** The loops have ended by then: they do so in an earlier hook. */
  async onApplicationShutdown(): Promise<void> {
    this.following.abort();
    this.connections.redis.disconnect();
    this.connections.workers.disconnect();
    await this.readModels.close();
    await this.store.dispose();
  }
}

const CONNECTIONS: Provider[] = [
  { provide: EVENT_STORE, useFactory: openStore, inject: [CONFIG] },
  {
    provide: COMMANDS,
    useFactory: (store: EventStore) => createCommandExecutor(store),
    inject: [EVENT_STORE],
  },
  {
    provide: READ_MODELS,
    useFactory: ({ redisUrl }: WorkerConfig) => createReadModels({ redis: redisUrl }),
    inject: [CONFIG],
  },
  {
    provide: REDIS,
    useFactory: ({ redisUrl }: WorkerConfig) => connectRedis(redisUrl),
    inject: [CONFIG],
  },
  { provide: KEYS, useFactory: findKeys, inject: [EVENT_STORE, REDIS, SHUTDOWN, LOG] },
  {
    provide: JOB_CONNECTIONS,
    useFactory: (
      redis: Redis,
      { prefix }: WorkerKeys,
      { redisUrl }: WorkerConfig,
    ): JobConnections => ({ redis, prefix, workers: connectWorkers(redisUrl) }),
    inject: [REDIS, KEYS, CONFIG],
  },
];

const TENANTS: Provider[] = [
  { provide: FOLLOWING, useFactory: () => new AbortController() },
  { provide: APPS, useFactory: openApps, inject: [EVENT_STORE, COMMANDS, FOLLOWING, LOG] },
];

/** An event of a type that is not named here was written by a newer release: its stream is parked. */
function openStore({ eventStoreUrl }: WorkerConfig): EventStore {
  const knownTypes = [...EVENT_TYPES, ...SANDBOX_EVENT_TYPES, DELIVERY_CHECKPOINT_RECORDED];
  return connectEventStore(eventStoreUrl, { knownTypes });
}

function openApps(
  store: EventStore,
  commands: CommandExecutor,
  { signal }: AbortController,
  log: Log,
): Promise<AppDirectory> {
  const options = { store, commands, clock: wallClock, signal, log };
  return openAppDirectory({ ...options, tellsEveryPosition: true });
}

async function findKeys(
  store: EventStore,
  redis: Redis,
  { signal }: Shutdown,
  log: Log,
): Promise<WorkerKeys> {
  const options = { deadlineMs: STORE_START_LIMIT_MS, baseMs: 50, capMs: 1_000, signal };
  const storeId = await retry(() => ensureStoreIdentity(store), options);
  await warnOfAnotherStore(redis, storeId, log);
  return workerKeys(storeId);
}

/** Redis may have served another store before: what it holds of that one is left alone. */
async function warnOfAnotherStore(redis: Redis, storeId: string, log: Log): Promise<void> {
  const before = await redisReply(redis.getset(LAST_STORE_KEY, storeId)).catch(() => null);
  if (before === null || before === storeId) return;
  log.warn({ storeId, before }, 'this Redis was last used with another store; its jobs stay apart');
}
