import type { LedgerStore } from '#event-store';
import { type Log, warnSeldom } from '#platform';
import { type Projection, projections as allProjections } from '#projections';
import type { Redis } from '#redis';
import { createNamespace, type LedgerIdentity, type Namespace } from './keys.js';
import { LeaseKeeper, type PartitionWorker } from './leases/lease-keeper.js';
import { type Lease, Leases } from './leases/leases.js';
import { LEASE_LOOK_MS, LEASE_MS } from './limits.js';
import { ProjectorRound } from './projector-round.js';
import { connectForWriting } from './redis.js';

export interface ProjectorOptions {
  readonly store: LedgerStore;
  /** What `requireNamespace` said of the store. */
  readonly identity: LedgerIdentity;
  /** The address of Redis. */
  readonly redis: string;
  /** The name of this process; no other projector that runs has it. */
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called once: all of history is in what this process holds, or it holds nothing. */
  readonly onReady?: () => void;
  readonly projections?: readonly Projection<unknown>[];
  /** How long the read models of a release that is gone are kept, in milliseconds. */
  readonly namespaceKeptMs?: number;
  /** How long a lease lasts, and how often it is looked at, in milliseconds. */
  readonly leases?: { readonly lastsMs: number; readonly everyMs: number };
}

/**
 * Feeds the read models from the event store until it is stopped (rules/events 6). Several may run at
 * once, each with its share of the partitions (decision 0084). What is lost in Redis is rebuilt, and the
 * log says so.
 *
 * @returns when `signal` is aborted, after its partitions were given back.
 * @throws RebuildStopped when a rebuild meets an event that this release cannot apply; StoreExchanged.
 */
export async function runProjector(options: ProjectorOptions): Promise<void> {
  const redis = connectForWriting(options.redis);
  try {
    await new ProjectorRun(redis, options).run();
  } finally {
    redis.disconnect();
  }
}

/** A projector at work: it looks after its leases, and follows the store for what it holds. */
class ProjectorRun implements PartitionWorker {
  readonly #redis: Redis;
  readonly #options: ProjectorOptions;
  readonly #namespace: Namespace;
  readonly #keeper: LeaseKeeper;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  #work: { readonly over: AbortController; readonly ended: Promise<void> } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isReady = false;

  constructor(redis: Redis, options: ProjectorOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#end.signal]);
    const { identity, projections = allProjections, holder, log } = options;
    this.#namespace = createNamespace(projections, identity);
    const { lastsMs, everyMs } = options.leases ?? { lastsMs: LEASE_MS, everyMs: LEASE_LOOK_MS };
    const leases = new Leases({ redis, keys: this.#namespace.leases, holder, lastsMs });
    this.#keeper = new LeaseKeeper({
      leases,
      count: identity.partitions,
      worker: this,
      everyMs,
      log,
    });
  }

  async run(): Promise<void> {
    await this.#keeper.begin(this.#signal);
    // Where others hold everything, there is nothing to wait for.
    if (!this.#signal.aborted && this.#keeper.held.length === 0) this.#becomeReady();
    await this.#keeper.run(this.#signal);
    await this.#endWork();
    // What cannot be given back runs out.
    await this.#keeper.stop().catch((error: unknown) => {
      warnSeldom(this.#options.log, error, 'partitions could not be given back');
    });
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Ends the work at the end of a batch, and begins again with what is held now. */
  async workOn(leases: readonly Lease[]): Promise<void> {
    await this.#endWork();
    if (this.#signal.aborted || leases.length === 0) return;
    const over = new AbortController();
    this.#work = { over, ended: this.#workUntil(leases, over) };
  }

  async #workUntil(leases: readonly Lease[], over: AbortController): Promise<void> {
    const signal = AbortSignal.any([this.#signal, over.signal]);
    const onLive = () => this.#becomeReady();
    const [redis, namespace] = [this.#redis, this.#namespace];
    try {
      while (!signal.aborted) {
        const place = { ...this.#options, redis, namespace, leases, signal, onLive };
        await new ProjectorRound(place).run();
      }
    } catch (error) {
      this.#failure = { error };
      this.#end.abort();
    }
  }

  async #endWork(): Promise<void> {
    this.#work?.over.abort();
    await this.#work?.ended;
  }

  #becomeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#options.onReady?.();
  }
}
