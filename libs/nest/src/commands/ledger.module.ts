import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EVENT_TYPES } from '#domain/event-types';
import {
  type CommandExecutor,
  createCommandExecutor,
  type LiveAggregates,
  type LiveAggregatesOptions,
  type LedgerStore,
  type NamespaceIdentity,
  openLiveAggregates,
  requireNamespace,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { SANDBOX_EVENT_TYPES } from '#gateway';
import { type Clock, type Log, wallClock } from '#platform';
import { APP_AGGREGATES, type AppDirectory, createAppDirectory } from '#tenancy';
import { DELIVERY_CHECKPOINT_RECORDED } from '#worker-state';
import {
  APP_DIRECTORY,
  CLOCK,
  COMMAND_EXECUTOR,
  COMMAND_HASH_KEYS,
  EVENT_STORE,
  LOG,
  STOPPING,
} from '../tokens.js';
import { CommandContexts, type CommandHashKeys } from './command-contexts.js';
import { Ledger } from './ledger.js';

const CONNECTION = Symbol('LedgerConnection');

/** The event store as a program has it open. */
export interface LedgerConnection {
  readonly store: LedgerStore;
  readonly identity: NamespaceIdentity;
  readonly commands: CommandExecutor;
  /** Of apps and the other aggregates: one subscription for all of them. */
  readonly live: LiveAggregates;
  readonly apps: AppDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** Aborted when requests no longer wait for followed streams: see `LedgerModule`. */
  readonly following: AbortController;
}

interface LedgerOptions {
  readonly eventStoreUrl: string;
  readonly namespace: string;
  readonly log: Log;
  /** Aborted when a stop begins. */
  readonly stopping: AbortSignal;
  /** The aggregates that the program keeps in memory beside the apps. */
  readonly aggregates?: LiveAggregatesOptions['aggregates'];
  /** Whether a read model lists this app, for programs whose callers can make ids up. */
  readonly isAppListed?: (appId: string) => Promise<boolean>;
}

/**
 * Connects to the event store and begins to follow the apps.
 *
 * @throws Fault when it is out of reach, or has no such namespace.
 */
export async function connectLedger(options: LedgerOptions): Promise<LedgerConnection> {
  const { eventStoreUrl, namespace, log, stopping, isAppListed, aggregates = [] } = options;
  const store = connectEventStore(eventStoreUrl, {
    knownTypes: [...EVENT_TYPES, ...SANDBOX_EVENT_TYPES, DELIVERY_CHECKPOINT_RECORDED],
    namespace,
  });
  const identity = await requireNamespace(store, log, stopping);
  const commands = createCommandExecutor(store);
  const clock = wallClock;
  const following = new AbortController();
  const live = await openLiveAggregates({
    store,
    commands,
    aggregates: [...APP_AGGREGATES, ...aggregates],
    signal: following.signal,
    log,
  });
  const apps = createAppDirectory({ live, clock, isListed: isAppListed });
  return { store, identity, commands, live, apps, clock, log, stopping, following };
}

/** The basis of an HTTP program's commands: the executor, the apps, the contexts, the clock. */
@Module({})
export class LedgerModule implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly connection: LedgerConnection) {}

  static with(connection: LedgerConnection, hashKeys: CommandHashKeys): DynamicModule {
    const { store, commands, apps, clock, log, stopping } = connection;
    const provided = [
      { provide: APP_DIRECTORY, useValue: apps },
      { provide: CLOCK, useValue: clock },
      { provide: COMMAND_EXECUTOR, useValue: commands },
      { provide: COMMAND_HASH_KEYS, useValue: hashKeys },
      { provide: EVENT_STORE, useValue: store },
      { provide: LOG, useValue: log },
      { provide: STOPPING, useValue: stopping },
      CommandContexts,
      Ledger,
    ];
    return {
      module: LedgerModule,
      global: true,
      imports: [CqrsModule.forRoot()],
      providers: [...provided, { provide: CONNECTION, useValue: connection }],
      exports: [...provided, CqrsModule],
    };
  }

  /** Requests under way when a stop begins may wait for the apps that are followed: Nest ends them first. */
  async onApplicationShutdown(): Promise<void> {
    this.connection.following.abort();
    await this.connection.store.dispose();
  }
}
