import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createReadModels, type ReadModels } from '#projection-engine';
import { documentProjections } from '#projections';
import { Purchases } from '../../bench/purchases.js';
import { readConnectionString } from '../../support/connection-string.js';
import { type ProgramOptions, type RunningProgram, startProgram } from '../../support/program.js';
import type { RunningCluster } from '../../support/redis-cluster.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const PARTITIONS = 16;
/** Of workers and projectors: partitions are spread over processes as over masters. */
const OF_EACH = 2;

/** A ledger with all of its programs on a Redis that a chaos run breaks. */
export class LedgerOnRedis {
  readonly #stops: (() => unknown)[] = [];
  store!: LedgerStore;
  identity!: NamespaceIdentity;
  readModels!: ReadModels;
  receiver!: WebhookReceiver;
  purchases!: Purchases;
  /** The address of the API. */
  apiUrl = '';

  /** @param redis runs already, and is stopped with the ledger. */
  constructor(readonly server: RunningCluster) {}

  async start(): Promise<void> {
    const masterKey = randomBytes(32);
    this.#stops.push(() => this.server.stop());
    this.receiver = await startWebhookReceiver();
    this.#stops.push(() => this.receiver.close());
    const dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-redis-'));
    this.#stops.push(() => rm(dataDir, { recursive: true, force: true }));
    const args = ['--port', '0', '--data-dir', dataDir, '--json'];
    const store = await this.#startProgram('event-store', {}, { args });
    const eventStoreUrl = readConnectionString(store.ready);
    this.store = connectEventStore(eventStoreUrl);
    this.#stops.push(() => this.store.dispose());
    this.identity = await this.store.namespaces.open(PARTITIONS);
    this.purchases = await Purchases.open(this.store, masterKey, this.receiver.url);
    this.#stops.push(() => this.purchases.close());
    this.readModels = createReadModels({
      redis: this.server.url,
      identity: this.identity,
      projections: documentProjections,
    });
    this.#stops.push(() => this.readModels.close());
    const env = {
      EVENTSTOREDB_URL: eventStoreUrl,
      REDIS_URL: this.server.url,
      MASTER_KEY: masterKey.toString('base64'),
      ALLOW_INSECURE_TARGETS: 'test-apps',
      LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'silent',
      PORT: '0',
    };
    const api = await this.#startProgram('api', env);
    this.apiUrl = String(api.ready['url']);
    for (let n = 0; n < OF_EACH; n += 1) {
      await this.#startProgram('projector', { ...env, INSTANCE_NAME: `projector-${n}` });
      await this.#startProgram('worker', { ...env, INSTANCE_NAME: `worker-${n}` });
    }
  }

  /** Ends the started parts, the last first. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  async #startProgram(
    name: string,
    env: Readonly<Record<string, string>>,
    options?: ProgramOptions,
  ): Promise<RunningProgram> {
    const program = await startProgram(name, env, options);
    this.#stops.push(() => program.stop());
    return program;
  }
}
