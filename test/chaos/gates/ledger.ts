import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { startEventStore } from '#embedded-event-store';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { type WorkerKeys, workerKeys } from '#worker-state';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { Purchases } from '../../bench/purchases.js';
import { GatedProgram } from './gated-program.js';

/** A ledger of one partition, with two workers and two projectors that can be held at gates. */
export class GatedLedger {
  readonly #stops: (() => unknown)[] = [];
  store!: LedgerStore;
  identity!: NamespaceIdentity;
  server!: RunningRedis;
  redis!: Redis;
  receiver!: WebhookReceiver;
  purchases!: Purchases;
  workers!: GatedProgram[];
  projectors!: GatedProgram[];

  async start(): Promise<void> {
    const masterKey = randomBytes(32);
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-gates-'));
    this.#stops.push(() => rm(folder, { recursive: true, force: true }));
    const embedded = await startEventStore({ port: 0, dataDir: path.join(folder, 'store') });
    this.#stops.push(() => embedded.stop());
    this.server = await startRedis();
    this.#stops.push(() => this.server.stop());
    this.redis = new Redis(this.server.url);
    this.#stops.push(() => this.redis.disconnect());
    this.receiver = await startWebhookReceiver();
    this.#stops.push(() => this.receiver.close());
    this.store = connectEventStore(embedded.connectionString);
    this.#stops.push(() => this.store.dispose());
    this.identity = await this.store.namespaces.open(1);
    this.purchases = await Purchases.open(this.store, masterKey, this.receiver.url);
    this.#stops.push(() => this.purchases.close());
    const env = {
      EVENTSTOREDB_URL: embedded.connectionString,
      REDIS_URL: this.server.url,
      MASTER_KEY: masterKey.toString('base64'),
      ALLOW_INSECURE_TARGETS: 'test-apps',
      LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'silent',
    };
    const startTwo = async (name: 'worker' | 'projector') => {
      const holders = [`${name}-a`, `${name}-b`];
      const two = await Promise.all(
        holders.map((holder) => GatedProgram.start(name, holder, folder, env)),
      );
      for (const program of two) this.#stops.push(() => program.stop());
      return two;
    };
    this.projectors = await startTwo('projector');
    this.workers = await startTwo('worker');
  }

  /** The workers' keys of the partition. */
  get workerKeys(): WorkerKeys {
    return workerKeys(this.identity.layoutId, 0);
  }

  /** Ends the started parts, the last first. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}
