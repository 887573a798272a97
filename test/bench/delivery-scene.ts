import { randomBytes } from 'node:crypto';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { readConnectionString } from '../support/connection-string.js';
import { eventually } from '../support/eventually.js';
import { type RunningRedis, startRedis } from '../support/redis.js';
import { WrittenLedger } from '../support/written-ledger.js';
import { type DeliveryReceiver, startDeliveryReceiver } from './delivery-receiver.js';
import { type RunningProgram, startProgram } from './program.js';

/** Tens of thousands of payments are looked up, and those that find no room in memory half a minute later. */
const SETTLED_LIMIT_MS = 240_000;

/** A store, a Redis and a receiver of their own, with a worker as a process of its own. */
export class DeliveryScene {
  readonly #stops: (() => unknown)[] = [];
  #eventStoreUrl = '';
  #masterKey = randomBytes(32);
  #worker: RunningProgram | undefined;
  store!: LedgerStore;
  ledger!: WrittenLedger;
  redis!: RunningRedis;
  receiver!: DeliveryReceiver;

  /** Does something in a scene, which is taken down afterwards. */
  static async with<Result>(act: (scene: DeliveryScene) => Promise<Result>): Promise<Result> {
    const scene = new DeliveryScene();
    try {
      await scene.#start();
      return await act(scene);
    } finally {
      await scene.stopWorker();
      for (const stop of scene.#stops.reverse()) await stop();
    }
  }

  async startWorker(): Promise<RunningProgram> {
    this.#worker = await startProgram('programs/worker.js', {
      ...{ EVENTSTOREDB_URL: this.#eventStoreUrl, REDIS_URL: this.redis.url },
      ...{ MASTER_KEY: this.#masterKey.toString('base64'), ALLOW_INSECURE_TARGETS: 'test-apps' },
      LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'fatal',
    });
    return this.#worker;
  }

  /**
   * Waits until the worker has ended all that it has begun. Its messages may long have arrived by then: each payment of
   * before is looked up at the gateway beside them, and the next worker does the rest of that after a stop.
   */
  async untilNothingIsInFlight(): Promise<void> {
    const isEmpty = async () => (await this.redis.command('KEYS *:feed:in-flight')) === '*0';
    await eventually(isEmpty, { what: 'the end of what is in flight', limitMs: SETTLED_LIMIT_MS });
  }

  async stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  async #start(): Promise<void> {
    this.receiver = await startDeliveryReceiver();
    this.#stops.push(() => this.receiver.close());
    this.redis = await startRedis();
    this.#stops.push(() => this.redis.stop());
    const eventStore = await startProgram('programs/event-store.js', {}, true);
    this.#stops.push(() => eventStore.stop());
    this.#eventStoreUrl = readConnectionString(eventStore.ready);
    this.store = connectEventStore(this.#eventStoreUrl);
    this.#stops.push(() => this.store.dispose());
    await this.store.namespaces.open(1);
    this.ledger = new WrittenLedger(this.store, this.#masterKey);
  }
}

/** Halts a process while the next thing is prepared, so that all of it is there when it goes on. */
export async function whileHalted(pid: number, prepare: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await prepare();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
