import {
  type CommandExecutor,
  createCommandExecutor,
  type LedgerStore,
  type NamespaceIdentity,
  Partitions,
  requireNamespace,
} from '#event-store';
import { createGateways, type PaymentGateways } from '#gateway';
import { type Log, type Shutdown, wallClock } from '#platform';
import { createReadModels, type ReadModels } from '#projection-engine';
import { dueDates, payments } from '#projections';
import { type AppDirectory, openAppDirectory } from '#tenancy';
import type { Redis } from '#redis';
import type { WorkerConfig } from './config.js';
import { openStore } from './open-store.js';
import { connectRedis, connectWorkers } from './redis/connect.js';
import { warnOfAnotherStore } from './redis/warn-of-another-store.js';

/** What the worker has open, and what it keeps in memory of the tenants: one of each for the process. */
export interface WorkerConnections {
  readonly config: WorkerConfig;
  readonly log: Log;
  readonly store: LedgerStore;
  readonly namespace: NamespaceIdentity;
  readonly partitions: Partitions;
  readonly commands: CommandExecutor;
  readonly redis: Redis;
  /** For BullMQ's workers, which block. */
  readonly workers: Redis;
  readonly readModels: ReadModels;
  readonly apps: AppDirectory;
  readonly gateways: PaymentGateways;
  /** When the work has ended. */
  close(): Promise<void>;
}

/** Connects everything that the worker stands on. @throws Fault when store or Redis are out of reach. */
export async function openConnections(
  config: WorkerConfig,
  log: Log,
  { signal }: Shutdown,
): Promise<WorkerConnections> {
  const { redisUrl, sandboxInProductionApps } = config;
  const store = openStore(config);
  const redis = connectRedis(redisUrl);
  const namespace = await requireNamespace(store, log, signal);
  await warnOfAnotherStore(redis, namespace.storeId, log);
  const partitions = new Partitions(namespace.partitions);
  const commands = createCommandExecutor(store);
  // Aborted at the very end: a batch that is under way when a stop begins may wait for the apps.
  const following = new AbortController();
  const options = { store, commands, clock: wallClock, signal: following.signal, log };
  const apps = await openAppDirectory(options);
  const readModels = createReadModels({
    redis: redisUrl,
    identity: namespace,
    projections: [dueDates, payments],
    // What is due goes on while other read models are built.
    awaited: [dueDates],
  });
  const workers = connectWorkers(redisUrl);
  const gateways = createGateways({ commands, clock: wallClock, sandboxInProductionApps });
  const close = async () => {
    following.abort();
    redis.disconnect();
    workers.disconnect();
    await readModels.close();
    await store.dispose();
  };
  const opened = { store, namespace, partitions, commands, redis, workers };
  return { config, log, ...opened, readModels, apps, gateways, close };
}
