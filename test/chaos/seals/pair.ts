import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { type RunningProgram, startProgram } from '../../support/program.js';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { SealedLedger } from '../../integration/sealing/support.js';
import { GateFile } from '../kills/gate.js';

const LIMIT_MS = 60_000;

/** A bookkeeper that can be ended at a step of its own. */
export class GatedBookkeeper {
  #program: RunningProgram | undefined;

  private constructor(
    readonly name: string,
    readonly gate: GateFile,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** @param folder of its gate. */
  static async start(name: string, folder: string, env: Readonly<Record<string, string>>) {
    const gate = new GateFile(folder);
    const bookkeeper = new GatedBookkeeper(name, gate, { ...env, INSTANCE_NAME: name });
    await bookkeeper.start();
    return bookkeeper;
  }

  /** Whether it was started and not killed since. */
  get isRunning(): boolean {
    return this.#program !== undefined;
  }

  async start(): Promise<void> {
    this.#program = await startProgram('bookkeeper', { ...this.env, ...this.gate.env });
  }

  /** Resolves when it has ended, also by its gate. */
  async kill(): Promise<void> {
    await this.#program?.kill();
    this.#program = undefined;
  }
}

/** A ledger with two bookkeepers, one of which seals it. */
export class BookkeeperPair {
  readonly #stops: (() => Promise<unknown>)[] = [];
  ledger!: SealedLedger;
  redis!: Redis;
  keyFile!: string;
  bookkeepers!: readonly GatedBookkeeper[];
  /** So many events there are: each has a leaf in the end. */
  events = 0;
  #adds = 0;

  /** @param more settings of both. */
  static async start(more: Readonly<Record<string, string>> = {}): Promise<BookkeeperPair> {
    const pair = new BookkeeperPair();
    try {
      await pair.#start(more);
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  async #start(more: Readonly<Record<string, string>>): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-seals-'));
    this.#stops.push(() => rm(folder, { recursive: true, force: true }));
    this.ledger = await SealedLedger.start();
    this.#stops.push(() => this.ledger.remove());
    const server: RunningRedis = await startRedis();
    this.#stops.push(() => server.stop());
    this.redis = new Redis(server.url);
    this.#stops.push(() => this.redis.quit());
    this.keyFile = path.join(folder, 'seal.key');
    await writeFile(this.keyFile, this.ledger.key);
    const env = {
      ...{ EVENTSTOREDB_URL: this.ledger.server.connectionString, REDIS_URL: server.url },
      ...{ SEAL_KEY_FILE: this.keyFile, SEAL_INTERVAL_SECONDS: '1', SEAL_ORIGIN_HOST: 'test' },
      ...{ LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'silent', ...more },
    };
    this.bookkeepers = await Promise.all(
      ['bookkeeper-a', 'bookkeeper-b'].map(async (name) => {
        const own = await mkdtemp(path.join(folder, name));
        const bookkeeper = await GatedBookkeeper.start(name, own, env);
        this.#stops.push(() => bookkeeper.kill());
        return bookkeeper;
      }),
    );
  }

  /** Appends so many events, to streams of their own. */
  async add(count: number): Promise<void> {
    this.events += count;
    this.#adds += 1;
    await this.ledger.add(count, `add${this.#adds}n`);
  }

  /** The one that seals, and the one that stands by. */
  async findRoles(): Promise<{ holder: GatedBookkeeper; standby: GatedBookkeeper }> {
    let holder: GatedBookkeeper | undefined;
    const isFound = async () => {
      const name = await this.redis.get((await this.#key('lease')) ?? '');
      holder = this.bookkeepers.find((each) => each.name === name);
      return holder !== undefined;
    };
    await eventually(isFound, { what: 'a bookkeeper with the lease', limitMs: LIMIT_MS });
    const standby = this.bookkeepers.find((each) => each !== holder);
    if (holder === undefined || standby === undefined) throw new Error('there is no pair');
    return { holder, standby };
  }

  /** As when time passes: the lease of one that died ends. */
  async freeLease(): Promise<void> {
    const lease = await this.#key('lease');
    if (lease !== undefined) await this.redis.del(lease);
  }

  /** As when the holder stood still for long, and another one had the lease meanwhile. */
  async takeLeaseAway(): Promise<void> {
    const fence = await this.#key('fence');
    if (fence !== undefined) await this.redis.set(fence, 'another 1 another');
    await this.freeLease();
  }

  /** Ends all parts, the last first. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  async #key(name: string): Promise<string | undefined> {
    return (await this.redis.keys(`*:bookkeeper:${name}`))[0];
  }
}
