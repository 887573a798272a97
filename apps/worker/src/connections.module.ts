import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { createGateways } from '#gateway';
import { type Log, type Shutdown, wallClock } from '#platform';
import { createReadModels, ParkedStreams, type ReadModels } from '#projection-engine';
import { type AppDirectory, openAppDirectory } from '#tenancy';
import type { WorkerConfig } from './config.js';
import { openStore } from './open-store.js';
import { connectRedis, connectWorkers } from './redis/connect.js';
import { Fence } from './redis/fence.js';
import { findKeys } from './redis/find-keys.js';
import type { WorkerKeys } from './redis/keys.js';
import {
  APPS,
  COMMANDS,
  CONFIG,
  EVENT_STORE,
  GATEWAYS,
  JOB_CONNECTIONS,
  KEYS,
  LOG,
  READ_MODELS,
  REDIS,
  SHUTDOWN,
} from './tokens.js';

const CONNECTIONS = Symbol('connections');

/** What the worker has open, and what it keeps in memory of the tenants: one of each for the process. */
export interface WorkerConnections {
  readonly store: EventStore;
  readonly commands: CommandExecutor;
  readonly redis: Redis;
  /** For BullMQ's workers, which block. */
  readonly workers: Redis;
  readonly readModels: ReadModels;
  readonly keys: WorkerKeys;
  readonly apps: AppDirectory;
  /** Aborted at the very end: a batch that is under way when a stop begins may wait for the apps. */
  readonly following: AbortController;
}

/** Connects everything that the worker stands on. @throws Fault when store or Redis are out of reach. */
export async function openConnections(
  config: WorkerConfig,
  log: Log,
  { signal }: Shutdown,
): Promise<WorkerConnections> {
  const { redisUrl } = config;
  const store = openStore(config);
  const redis = connectRedis(redisUrl);
  const keys = await findKeys({ store, redis, signal, log });
  const commands = createCommandExecutor(store);
  const following = new AbortController();
  const options = { store, commands, clock: wallClock, signal: following.signal, log };
  const apps = await openAppDirectory({ ...options, tellsEveryPosition: true });
  const identity = await store.namespaces.require();
  const readModels = createReadModels({ redis: redisUrl, identity });
  const workers = connectWorkers(redisUrl);
  return { store, commands, redis, workers, readModels, keys, apps, following };
}

/** Hands the connections to all modules of the worker, and closes them when the loops have ended. */
@Module({})
export class WorkerConnectionsModule implements OnApplicationShutdown {
  constructor(@Inject(CONNECTIONS) private readonly connections: WorkerConnections) {}

  static with(
    config: WorkerConfig,
    connections: WorkerConnections,
    log: Log,
    shutdown: Shutdown,
  ): DynamicModule {
    const { store, commands, redis, workers, readModels, keys, apps } = connections;
    const { sandboxInProductionApps } = config;
    const gateways = createGateways({ commands, clock: wallClock, sandboxInProductionApps });
    const provided = [
      { provide: CONFIG, useValue: config },
      { provide: LOG, useValue: log },
      { provide: SHUTDOWN, useValue: shutdown },
      { provide: EVENT_STORE, useValue: store },
      { provide: COMMANDS, useValue: commands },
      { provide: READ_MODELS, useValue: readModels },
      { provide: REDIS, useValue: redis },
      { provide: KEYS, useValue: keys },
      { provide: JOB_CONNECTIONS, useValue: { redis, workers, prefix: keys.prefix } },
      { provide: APPS, useValue: apps },
      { provide: GATEWAYS, useValue: gateways },
      { provide: Fence, useValue: new Fence(redis, keys) },
      { provide: ParkedStreams, useValue: new ParkedStreams(redis, keys.parked) },
    ];
    const own = { provide: CONNECTIONS, useValue: connections };
    return {
      module: WorkerConnectionsModule,
      global: true,
      providers: [...provided, own],
      exports: provided,
    };
  }

  /** The loops have ended by then: they do so in an earlier hook. */
  async onApplicationShutdown(): Promise<void> {
    const { following, redis, workers, readModels, store } = this.connections;
    following.abort();
    redis.disconnect();
    workers.disconnect();
    await readModels.close();
    await store.dispose();
  }
}
