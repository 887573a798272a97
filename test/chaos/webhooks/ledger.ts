import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEventStore } from '#embedded-event-store';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { type RunningProgram, startProgram } from '../../support/program.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { WrittenLedger } from '../../support/written-ledger.js';

const PARTITIONS = 2;

/** A store, a Redis that keeps an append-only file, and workers, all of which can be broken. */
export class BreakableLedger {
  readonly #stops: (() => unknown)[] = [];
  readonly #workers: RunningProgram[] = [];
  #env: Readonly<Record<string, string>> = {};
  redis!: RunningRedis;
  store!: LedgerStore;
  written!: WrittenLedger;

  constructor(private readonly workers: number) {}

  async start(): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-webhooks-'));
    this.#stops.push(() => rm(folder, { recursive: true, force: true }));
    const embedded = await startEventStore({ port: 0, dataDir: path.join(folder, 'store') });
    this.#stops.push(() => embedded.stop());
    const dir = await mkdtemp(path.join(folder, 'redis-'));
    this.redis = await startRedis({ dir, appendOnly: true });
    this.#stops.push(() => this.redis.stop());
    this.store = connectEventStore(embedded.connectionString);
    this.#stops.push(() => this.store.dispose());
    await this.store.namespaces.open(PARTITIONS);
    const masterKey = randomBytes(32);
    this.written = new WrittenLedger(this.store, masterKey);
    this.#env = {
      ...{ EVENTSTOREDB_URL: embedded.connectionString, REDIS_URL: this.redis.url },
      ...{ MASTER_KEY: masterKey.toString('base64'), ALLOW_INSECURE_TARGETS: 'test-apps' },
      LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'silent',
    };
    this.#stops.push(() => Promise.all(this.#workers.map((worker) => worker.kill())));
    await Promise.all(Array.from({ length: this.workers }, (_, n) => this.startWorker(n)));
  }

  /** Ends the started parts, the last first. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  worker(n: number): RunningProgram {
    const worker = this.#workers[n % this.workers];
    if (worker === undefined) throw new Error('the workers are not started yet');
    return worker;
  }

  async startWorker(n: number): Promise<void> {
    const env = { ...this.#env, INSTANCE_NAME: `worker-${n % this.workers}` };
    this.#workers[n % this.workers] = await startProgram('worker', env);
  }

  async startRedis(): Promise<void> {
    const { port, dir } = this.redis;
    this.redis = await startRedis({ port, dir, appendOnly: true });
  }

  async appendOnlyBytes(): Promise<number> {
    return (await stat(await this.#appendOnlyFile())).size;
  }

  /** Cuts the append-only file behind so many bytes; Redis does not run. */
  async cutAppendOnly(bytes: number): Promise<void> {
    await truncate(await this.#appendOnlyFile(), bytes);
  }

  async #appendOnlyFile(): Promise<string> {
    const folder = path.join(this.redis.dir, 'appendonlydir');
    const [last] = (await readdir(folder)).filter((name) => name.endsWith('.incr.aof')).sort();
    if (last === undefined) throw new Error('Redis keeps no append-only file');
    return path.join(folder, last);
  }
}
