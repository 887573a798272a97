import { playerAggregate } from '#domain/player';
import { taxRatesAggregate } from '#domain/pricing';
import { EgressConnections, readEgressOptions } from '#egress';
import {
  type CommandExecutor,
  createCommandExecutor,
  type LedgerStore,
  type NamespaceIdentity,
  openLiveAggregates,
  Partitions,
  requireNamespace,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import type { ListBooks, PaymentGateways } from '#gateway';
import { createGateways, listBooks } from '#gateway/apps';
import { type Clock, createSeal, type Log, type Shutdown, wallClock } from '#platform';
import { createReadModels, type ReadModels } from '#projection-engine';
import { dueDates, payments, testClocks } from '#projections';
import { type Redis, redisReply } from '#redis';
import {
  APP_AGGREGATES,
  type AppDirectory,
  type ChallengeAddresses,
  createAppDirectory,
  createAppSecrets,
  createChallengeAddresses,
  createPersonalData,
  type PersonalData,
} from '#tenancy';
import { LAST_STORE_KEY } from '#worker-state';
import type { WorkerConfig } from './config.js';
import { KNOWN_EVENT_TYPES } from './known-event-types.js';
import { connectRedis, connectWorkers } from './redis/connect.js';
import { TaxRatesInUse } from './tax-rates-in-use.js';
import { MovedClocks } from './test-clock/moved-clocks.js';

/** The aggregates that the worker follows. */
const FOLLOWED = [...APP_AGGREGATES, taxRatesAggregate, playerAggregate];

/** The open connections of the worker, and its memory of the tenants: one of each for the process. */
export interface WorkerConnections {
  readonly config: WorkerConfig;
  readonly log: Log;
  /** By which retries are made. */
  readonly clock: Clock;
  readonly store: LedgerStore;
  readonly namespace: NamespaceIdentity;
  readonly partitions: Partitions;
  readonly commands: CommandExecutor;
  readonly redis: Redis;
  /** For BullMQ's workers, which block. */
  readonly workers: Redis;
  readonly readModels: ReadModels;
  readonly apps: AppDirectory;
  readonly taxRates: TaxRatesInUse;
  readonly clocks: MovedClocks;
  readonly gateways: PaymentGateways;
  readonly books: ListBooks;
  readonly personalData: PersonalData;
  /** The connections of webhooks: idle ones are bounded for the process. */
  readonly egress: EgressConnections;
  readonly challengeAddresses: ChallengeAddresses;
  /** When the work has ended. */
  close(): Promise<void>;
}

/** Connects everything that the worker stands on. @throws Fault when store or Redis are out of reach. */
export async function openConnections(
  config: WorkerConfig,
  log: Log,
  { signal }: Shutdown,
  clock: Clock = wallClock,
): Promise<WorkerConnections> {
  const store = openStore(config);
  const redis = connectRedis(config.redisUrl);
  const namespace = await requireNamespace(store, log, signal);
  await warnOfAnotherStore(redis, namespace.storeId, log);
  const partitions = new Partitions(namespace.partitions);
  const commands = createCommandExecutor(store);
  // Aborted at the very end: a batch that is under way when a stop begins may wait for the apps.
  const following = new AbortController();
  const live = await openLiveAggregates({
    store,
    commands,
    aggregates: FOLLOWED,
    signal: following.signal,
    log,
  });
  const apps = createAppDirectory({ live, clock: wallClock });
  const clocks = new MovedClocks(apps);
  const learning = learnClocks(clocks, { config, namespace, store, signal: following.signal, log });
  const seal = createSeal(config.masterKeys);
  const personalData = createPersonalData({ live, commands, seal });
  const readModels = createReadModels({
    redis: config.redisUrl,
    identity: namespace,
    projections: [dueDates, payments],
    // Due dates go on while other read models are built.
    awaited: [dueDates],
  });
  const workers = connectWorkers(config.redisUrl);
  const secrets = createAppSecrets(seal);
  const gateways = createGateways({ ...config, commands, clock: wallClock, apps, secrets });
  const ofBooks = { store, commands, secrets, stripeStandIn: config.stripeStandIn };
  const books: ListBooks = (range) => listBooks({ ...ofBooks, ...range });
  const egress = new EgressConnections(readEgressOptions(config));
  const close = async () => {
    following.abort();
    await learning;
    for (const connection of [redis, workers]) connection.disconnect();
    await Promise.all([egress.close(), readModels.close()]);
    await store.dispose();
  };
  const taxRates = new TaxRatesInUse(live, commands);
  const opened = { store, namespace, partitions, commands, redis, workers, taxRates };
  const challengeAddresses = createChallengeAddresses(seal);
  const known = { apps, clocks, gateways, books, personalData, challengeAddresses, egress };
  return { config, log, clock, ...opened, ...known, readModels, close };
}

/**
 * In the background: clocks are driven as they become known. The read model has a connection of its own, since due
 * dates must not wait while this one is built. Never throws.
 */
async function learnClocks(
  clocks: MovedClocks,
  { config, namespace, store, signal, log }: LearnClocksOptions,
): Promise<void> {
  const readModels = createReadModels({
    redis: config.redisUrl,
    identity: namespace,
    projections: [testClocks],
  });
  await clocks.learn({ readModels, findHead: () => store.headPosition(), signal, log });
  await readModels.close();
}

type LearnClocksOptions = Pick<WorkerConnections, 'config' | 'namespace' | 'store' | 'log'> & {
  readonly signal: AbortSignal;
};

/** An event of a type that the worker does not know was written by a newer release. */
function openStore({ eventStoreUrl, namespace }: WorkerConfig): LedgerStore {
  return connectEventStore(eventStoreUrl, { knownTypes: KNOWN_EVENT_TYPES, namespace });
}

/** Redis may have served another store before: its keys of that one are left alone. */
async function warnOfAnotherStore(redis: Redis, storeId: string, log: Log): Promise<void> {
  const before = await redisReply(redis.getset(LAST_STORE_KEY, storeId)).catch(() => null);
  if (before === null || before === storeId) return;
  log.warn({ storeId, before }, 'this Redis was last used with another store; its jobs stay apart');
}
