import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { Redis } from 'ioredis';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { type RunningProgram, startProgram } from '../../bench/program.js';
import { Purchases } from '../../bench/purchases.js';
import { readConnectionString } from '../../support/connection-string.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import type { OlderRelease } from './older-release.js';

const PARTITIONS = 16;

/** A ledger whose programs are of one release, of another one, or of both. */
export class DeployedLedger {
  readonly #stops: (() => unknown)[] = [];
  #env: Readonly<Record<string, string>> = {};
  store!: LedgerStore;
  identity!: NamespaceIdentity;
  server!: RunningRedis;
  redis!: Redis;
  receiver!: WebhookReceiver;
  purchases!: Purchases;

  async start(): Promise<void> {
    const masterKey = randomBytes(32);
    this.server = await startRedis();
    this.#stops.push(() => this.server.stop());
    this.redis = new Redis(this.server.url);
    this.#stops.push(() => this.redis.disconnect());
    this.receiver = await startWebhookReceiver();
    this.#stops.push(() => this.receiver.close());
    const store = await startProgram('programs/event-store.js', {}, true);
    this.#stops.push(() => store.stop());
    const eventStoreUrl = readConnectionString(store.ready);
    this.store = connectEventStore(eventStoreUrl);
    this.#stops.push(() => this.store.dispose());
    this.identity = await this.store.namespaces.open(PARTITIONS);
    this.purchases = await Purchases.open(this.store, masterKey, this.receiver.url);
    this.#stops.push(() => this.purchases.close());
    this.#env = {
      EVENTSTOREDB_URL: eventStoreUrl,
      REDIS_URL: this.server.url,
      MASTER_KEY: masterKey.toString('base64'),
      ALLOW_INSECURE_TARGETS: 'test-apps',
      LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'silent',
      PORT: '0',
    };
  }

  /** Starts a program of this release, or of the older one. Resolves when it says that it runs. */
  async startProgram(name: string, older?: OlderRelease): Promise<RunningProgram> {
    const holder = { INSTANCE_NAME: `${name}-${older === undefined ? 'newer' : 'older'}` };
    const main = older?.program(name) ?? `programs/${name}.js`;
    const program = await startProgram(main, { ...this.#env, ...holder });
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= program.stop());
    this.#stops.push(stop);
    return { ...program, stop };
  }

  /** How many partitions a worker holds. */
  async countHeld(holder: string): Promise<number> {
    const leases = await this.redis.keys('*:worker:lease');
    const holders = leases.length === 0 ? [] : await this.redis.mget(leases);
    return holders.filter((each) => each === holder).length;
  }

  /** How many streams are parked by workers. */
  async countParked(): Promise<number> {
    const lists = await this.redis.keys('*:worker:feed:parked');
    const counts = await Promise.all(lists.map((list) => this.redis.hlen(list)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Ends the running parts, the last first. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}
