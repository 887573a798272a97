import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { listNodeFlags } from '../../apps/standalone/src/node-flags.js';
import { readConnectionString } from '../support/connection-string.js';
import { type ProgramOptions, type RunningProgram, startProgram } from '../support/program.js';
import { type RunningRedis, startRedis } from '../support/redis.js';

interface StageOptions {
  /** Of the namespace; one, as the standalone has, unless given. */
  readonly partitions?: number;
  /** Further arguments of the event store. */
  readonly storeArgs?: readonly string[];
}

/** A Redis and an event store of a benchmark's own, and the programs that it starts before them. */
export class Stage {
  readonly #ends: (() => unknown)[] = [];
  #started = 0;
  readonly masterKey = randomBytes(32);
  redis!: RunningRedis;
  /** The event store as a process, where it keeps its data, and how it is reached. */
  store!: RunningProgram;
  dataDir!: string;
  eventStoreUrl!: string;
  client!: LedgerStore;
  identity!: NamespaceIdentity;

  /** Does something on a stage, and ends everything on it afterwards, the last start first. */
  static async with<Result>(
    act: (stage: Stage) => Promise<Result>,
    options: StageOptions = {},
  ): Promise<Result> {
    const stage = new Stage();
    try {
      await stage.#set(options);
      return await act(stage);
    } finally {
      for (const end of stage.#ends.reverse()) await end();
    }
  }

  atEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Starts a program that knows the store, Redis and the master key, with the flags that the standalone gives it. */
  async start(
    name: string,
    env: Readonly<Record<string, string>> = {},
    options?: ProgramOptions,
  ): Promise<RunningProgram> {
    this.#started += 1;
    const settings = {
      ...{ EVENTSTOREDB_URL: this.eventStoreUrl, REDIS_URL: this.redis.url },
      ...{ MASTER_KEY: this.masterKey.toString('base64'), ALLOW_INSECURE_TARGETS: 'test-apps' },
      ...{ PORT: '0', STOREFRONT_PORT: '0', LOG_LEVEL: 'error' },
      ...{ INSTANCE_NAME: `bench-${this.#started}`, ...env },
    };
    const program = await startProgram(name, settings, {
      nodeFlags: listNodeFlags(name),
      ...options,
    });
    this.atEnd(() => program.stop());
    return program;
  }

  async #set({ partitions = 1, storeArgs = [] }: StageOptions): Promise<void> {
    this.redis = await startRedis();
    this.atEnd(() => this.redis.stop());
    this.dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-bench-'));
    this.atEnd(() => rm(this.dataDir, { recursive: true, force: true }));
    const args = ['--port', '0', '--data-dir', this.dataDir, '--json', ...storeArgs];
    this.store = await startProgram('event-store', {}, { args });
    this.atEnd(() => this.store.stop());
    this.eventStoreUrl = readConnectionString(this.store.ready);
    this.client = connectEventStore(this.eventStoreUrl);
    this.atEnd(() => this.client.dispose());
    this.identity = await this.client.namespaces.open(partitions);
  }
}
