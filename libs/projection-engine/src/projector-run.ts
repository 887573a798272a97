import pLimit from 'p-limit';
import type { LedgerStore } from '#event-store';
import { jitteredDelayMs, type Log, showMetrics, sleepUnlessAborted, warnSeldom } from '#platform';
import type { Redis } from '#redis';
import { AheadOfStore } from './ahead-of-store.js';
import { AwaitedPositions, listenForWaits } from './awaited-positions.js';
import { checkProjections, type Projection } from './define/index.js';
import { findReadModel, type LedgerIdentity, type ReadModel } from './keys.js';
import { createLagMeter } from './lag.js';
import { LeaseKeeper } from './leases/lease-keeper.js';
import { type Lease, Leases } from './leases/leases.js';
import {
  CACHED_DOCUMENTS,
  LEASE_LOOK_MS,
  LEASE_MS,
  MOVE_BEFORE_CHANGE_MS,
  OPEN_AGAIN_BASE_MS,
  OPEN_AGAIN_CAP_MS,
} from './limits.js';
import { ProjectedPartition } from './projected-partition.js';
import { projectorMetrics } from './projector-metrics.js';
import { ProjectorRound } from './projector-round.js';
import { connectForWriting } from './redis.js';

export interface ProjectorOptions {
  readonly store: LedgerStore;
  /** What `requireNamespace` said of the store. */
  readonly identity: LedgerIdentity;
  /** The address of Redis. */
  readonly redis: string;
  readonly projections: readonly Projection<unknown>[];
  /** The name of this process; no other projector that runs has it. */
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called once: all of history is in what this process holds, or it holds nothing. */
  readonly onReady?: () => void;
  /** How much of history is in what is being built, from 0 to 1; called about once a second. */
  readonly onProgress?: (share: number) => void;
  /** How long read models of a release that is gone are kept, in milliseconds. */
  readonly unusedKeptMs?: number;
  /** For how long the store has to be behind its read models until that is believed, in milliseconds. */
  readonly aheadBelievedAfterMs?: number;
  /** How long a lease lasts, and how often it is looked at, in milliseconds. */
  readonly leases?: { readonly lastsMs: number; readonly everyMs: number };
}

/**
 * Feeds the read models from the event store until it is stopped (rules/events 6). Several may run at
 * once, also of different releases, each with its share of the partitions of each read model that it
 * knows (decision 0009). What is lost in Redis is built anew, and the log says so.
 *
 * @returns when `signal` is aborted, after its partitions were given back.
 * @throws StoreExchanged; Error when the projections contradict each other.
 */
export async function runProjector(options: ProjectorOptions): Promise<void> {
  checkProjections(options.projections);
  showMetrics(Object.values(projectorMetrics));
  const redis = connectForWriting(options.redis);
  try {
    await new ProjectorRun(redis, options).run();
  } finally {
    redis.disconnect();
  }
}

/** A read model with what this process holds of it. */
interface Share {
  readonly projection: Projection<unknown>;
  readonly readModel: ReadModel;
  readonly keeper: LeaseKeeper;
  leases: readonly Lease[];
}

/** What follows the store for all that is held. */
interface Work {
  readonly over: AbortController;
  readonly ended: Promise<void>;
  /** It has got further than where it began, has ended, or had its time. */
  readonly moved: Promise<unknown>;
}

/** A projector at work: it looks after its leases, and follows the store for what it holds. */
class ProjectorRun {
  readonly #redis: Redis;
  readonly #options: ProjectorOptions;
  readonly #shares: readonly Share[];
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #oneAtATime = pLimit(1);
  /** Where each process begins to take partitions: the same ones of each read model. */
  readonly #first: number;
  readonly #ahead: AheadOfStore;
  readonly #measureLag = createLagMeter();
  readonly #awaited = new AwaitedPositions();
  #work: Work | undefined;
  #hasBegun = false;
  #hasChanged = true;
  #failure: { readonly error: unknown } | undefined;
  #isReady = false;

  constructor(redis: Redis, options: ProjectorOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#end.signal]);
    const { store, log, aheadBelievedAfterMs } = options;
    this.#ahead = new AheadOfStore(store, log, aheadBelievedAfterMs);
    this.#first = Math.floor(Math.random() * options.identity.partitions);
    this.#shares = options.projections.map((projection) => this.#createShare(projection));
  }

  async run(): Promise<void> {
    const { redis, identity } = this.#options;
    const endListening = listenForWaits(redis, identity.layoutId, this.#awaited);
    try {
      await this.#run();
    } finally {
      endListening();
    }
  }

  async #run(): Promise<void> {
    const keepers = this.#shares.map(({ keeper }) => keeper);
    await Promise.all(keepers.map((keeper) => keeper.begin(this.#signal)));
    await Promise.all(keepers.map((keeper) => keeper.settled()));
    this.#hasBegun = true;
    await this.#workAnew();
    await Promise.all(keepers.map((keeper) => keeper.run(this.#signal)));
    await this.#endWork();
    // What cannot be given back runs out.
    await Promise.all(keepers.map((keeper) => keeper.stop())).catch((error: unknown) => {
      warnSeldom(this.#options.log, error, 'partitions could not be given back');
    });
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #createShare(projection: Projection<unknown>): Share {
    const { identity, holder, log } = this.#options;
    const { lastsMs, everyMs } = this.#options.leases ?? DEFAULT_LEASES;
    const readModel = findReadModel(projection, identity);
    const leases = new Leases({ redis: this.#redis, keys: readModel.leases, holder, lastsMs });
    const count = identity.partitions;
    const worker = {
      workOn: async (held: readonly Lease[]) => {
        share.leases = held;
        this.#hasChanged = true;
        if (this.#hasBegun) await this.#workAnew();
      },
    };
    const keeper = new LeaseKeeper({ leases, count, first: this.#first, worker, everyMs, log });
    const share: Share = { projection, readModel, keeper, leases: [] };
    return share;
  }

  /**
   * Ends the work at the end of a batch, and begins again with what is held now. Each work gets further
   * first: where partitions change hands more often than one can begin, nothing would be read any more.
   */
  #workAnew(): Promise<void> {
    return this.#oneAtATime(async () => {
      if (!this.#hasChanged) return;
      await this.#work?.moved;
      this.#hasChanged = false;
      await this.#endWork();
      const partitions = this.#openPartitions();
      if (this.#signal.aborted) return;
      if (partitions.length === 0) {
        // Others hold everything: there is nothing to wait for, and nothing to tell of.
        this.#becomeReady();
        projectorMetrics.parked.set(0);
        return;
      }
      this.#work = this.#beginWork(partitions);
    });
  }

  #beginWork(partitions: readonly ProjectedPartition[]): Work {
    const over = new AbortController();
    let onMoved: () => void = () => undefined;
    const hasMoved = new Promise<void>((resolve) => (onMoved = resolve));
    const signal = AbortSignal.any([this.#signal, over.signal]);
    const ended = this.#workUntil(partitions, signal, onMoved);
    const hadItsTime = sleepUnlessAborted(MOVE_BEFORE_CHANGE_MS, signal);
    return { over, ended, moved: Promise.race([hasMoved, ended, hadItsTime]) };
  }

  #openPartitions(): ProjectedPartition[] {
    const count = this.#shares.reduce((sum, { leases }) => sum + leases.length, 0);
    const cachedDocuments = Math.ceil(CACHED_DOCUMENTS / Math.max(1, count));
    return this.#shares.flatMap(({ projection, readModel, leases }) =>
      readModel.partitions.flatMap((keys) => {
        const lease = leases.find(({ partition }) => partition === keys.number);
        if (lease === undefined) return [];
        const options = { projection, keys, fence: lease.fence, cachedDocuments };
        return [new ProjectedPartition(this.#redis, options)];
      }),
    );
  }

  async #workUntil(
    partitions: readonly ProjectedPartition[],
    signal: AbortSignal,
    onMoved: () => void,
  ): Promise<void> {
    const readModels = this.#shares.map(({ readModel }) => readModel);
    const onBuilt = () => this.#becomeReady();
    const redis = this.#redis;
    const remembered = {
      ahead: this.#ahead,
      measureLag: this.#measureLag,
      awaited: this.#awaited,
    };
    const place = { redis, readModels, partitions, signal, onBuilt, onMoved, ...remembered };
    try {
      for (let failures = 0; !signal.aborted;) {
        const mayGoOn = await new ProjectorRound({ ...this.#options, ...place }).run();
        failures = mayGoOn ? 0 : failures + 1;
        const waitMs = jitteredDelayMs(failures, OPEN_AGAIN_BASE_MS, OPEN_AGAIN_CAP_MS);
        if (!mayGoOn) await sleepUnlessAborted(waitMs, signal);
      }
    } catch (error) {
      this.#failure = { error };
      this.#end.abort();
    }
  }

  async #endWork(): Promise<void> {
    this.#work?.over.abort();
    await this.#work?.ended;
    this.#work = undefined;
  }

  #becomeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#options.onReady?.();
  }
}

const DEFAULT_LEASES = { lastsMs: LEASE_MS, everyMs: LEASE_LOOK_MS };
