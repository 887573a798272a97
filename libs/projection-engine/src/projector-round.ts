import type { Position } from '#domain/event';
import { type LedgerStore, StoreExchanged } from '#event-store';
import { jitteredDelayMs, type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import type { Redis } from '#redis';
import type { AheadOfStore } from './ahead-of-store.js';
import { FollowedFeed } from './followed-feed.js';
import type { LedgerIdentity, ReadModel } from './keys.js';
import type { AwaitedPositions } from './awaited-positions.js';
import type { createLagMeter } from './lag.js';
import { OPEN_AGAIN_BASE_MS, OPEN_AGAIN_CAP_MS } from './limits.js';
import { preparePartitions } from './preparation.js';
import type { ProjectedPartition } from './projected-partition.js';
import { ProjectionFeed } from './projection-feed.js';
import { projectorMetrics } from './projector-metrics.js';
import { deleteLeftovers, retireReadModels, touchReadModels } from './retirement.js';
import { RoundWatch } from './round-watch.js';

export interface RoundOptions {
  readonly store: LedgerStore;
  readonly identity: LedgerIdentity;
  readonly redis: Redis;
  readonly readModels: readonly ReadModel[];
  /** What is held, of all read models. */
  readonly partitions: readonly ProjectedPartition[];
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** All of history is in what is held; it may be called more than once. */
  readonly onBuilt: () => void;
  /** Each feed has applied a batch, or had none to apply; it may be called more than once. */
  readonly onMoved: () => void;
  /** How much of history is in what is being built, from 0 to 1; told about once a second. */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly unusedKeptMs?: number | undefined;
  /** What they remember is longer than a round. */
  readonly ahead: AheadOfStore;
  readonly measureLag: ReturnType<typeof createLagMeter>;
  readonly awaited: AwaitedPositions;
}

/**
 * One subscription for the read models that answer, another one for those that are being built, and a
 * watch beside them that sees what a feed cannot. It is over when something has been built, when what is
 * held is not where it was left, or when the signal is aborted.
 */
export class ProjectorRound {
  readonly #options: RoundOptions;
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  #feeds: readonly FollowedFeed[] = [];
  readonly #moved = new Set<FollowedFeed>();
  /** The end of history, when it was last looked at. */
  #head: Position = '';
  #hasFailed = false;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#over.signal]);
  }

  /**
   * @returns whether another round may begin at once; not so where this one ended over an error.
   * @throws StoreExchanged: another round would end the same way.
   */
  async run(): Promise<boolean> {
    if (!(await this.#prepare())) return true;
    const { partitions } = this.#options;
    const groups = [
      partitions.filter(({ isBuilding }) => !isBuilding),
      partitions.filter(({ isBuilding }) => isBuilding),
    ];
    this.#feeds = groups.filter(({ length }) => length > 0).map((group) => this.#createFeed(group));
    const watch = new RoundWatch({
      settle: () => this.#settleAll(),
      measure: () => this.#measure(),
      retryParked: () => this.#retryParked(),
      tidy: () => this.#tidy(),
    });
    const watching = watch.run(this.#signal, this.#options.log);
    await Promise.all([watching, ...this.#feeds.map((feed) => feed.run())]);
    if (!this.#hasFailed) await this.#leave();
    return !this.#hasFailed;
  }

  async #leave(): Promise<void> {
    await Promise.all(this.#feeds.map((feed) => feed.leave())).catch((error: unknown) => {
      warnSeldom(this.#options.log, error, 'partitions were left behind where they are');
    });
  }

  /** @returns false when it was stopped before store and Redis answered. @throws StoreExchanged. */
  async #prepare(): Promise<boolean> {
    const { partitions, redis, identity, log } = this.#options;
    for (let failures = 0; !this.#signal.aborted; failures += 1) {
      try {
        await preparePartitions(this.#options, partitions);
        await touchReadModels(redis, identity, this.#names);
        return true;
      } catch (error) {
        if (error instanceof StoreExchanged) throw error;
        warnSeldom(log, error, 'the read models could not be opened; they are tried again');
        const waitMs = jitteredDelayMs(failures, OPEN_AGAIN_BASE_MS, OPEN_AGAIN_CAP_MS);
        await sleepUnlessAborted(waitMs, this.#signal);
      }
    }
    return false;
  }

  get #names(): string[] {
    return this.#options.readModels.map(({ name }) => name);
  }

  #createFeed(partitions: readonly ProjectedPartition[]): FollowedFeed {
    const { redis, identity, log, store, awaited } = this.#options;
    const count = identity.partitions;
    const onMoved = () => {
      this.#moved.add(followed);
      if (this.#moved.size === this.#feeds.length) this.#options.onMoved();
    };
    const followed: FollowedFeed = new FollowedFeed({
      store,
      feed: new ProjectionFeed({ redis, count, log, awaited }, partitions),
      awaited,
      count,
      signal: this.#signal,
      log,
      onCaughtUp: () => void this.#settle(followed),
      onMoved,
      onLost: () => this.#fail(),
    });
    return followed;
  }

  #fail(): void {
    this.#hasFailed = true;
    this.#over.abort();
  }

  async #settleAll(): Promise<void> {
    this.#reportBuild();
    projectorMetrics.parked.set(this.#feeds.reduce((sum, { feed }) => sum + feed.parkedCount, 0));
    await Promise.all(
      this.#feeds.filter(({ isCaughtUp }) => isCaughtUp).map((feed) => this.#settle(feed)),
    );
  }

  /** Sees that nothing was lost. What was built answers from now on, and the round is over. */
  async #settle(followed: FollowedFeed): Promise<void> {
    const { feed } = followed;
    try {
      await followed.betweenBatches(async () => {
        await feed.check();
        await feed.moveIdle();
        if (!feed.isBuilding) return;
        await feed.promote();
        this.#over.abort();
      });
    } catch (error) {
      if (this.#signal.aborted) return;
      warnSeldom(this.#options.log, error, 'the read models are not where they were left');
      this.#fail();
      return;
    }
    const isBuilt = this.#feeds.every((each) => each.isCaughtUp && !each.feed.isBuilding);
    if (isBuilt && !this.#signal.aborted) this.#options.onBuilt();
  }

  /** How far behind, how much is built, and whether the store has lost events. */
  async #measure(): Promise<void> {
    const { store, log, partitions, identity, ahead, measureLag } = this.#options;
    const head = await store.headPosition();
    this.#head = head;
    this.#reportBuild();
    const answering = this.#feeds.find(({ feed }) => !feed.isBuilding);
    if (answering === undefined) return;
    const lag = measureLag(answering.feed.watermark, head, Date.now());
    projectorMetrics.lagPositions.set(lag.positions);
    projectorMetrics.lagSeconds.set(lag.seconds);
    if (lag.seconds > 0) log.warn({ ...lag, head }, 'the read models are behind');
    const lost = await ahead.find(partitions, head, performance.now());
    if (lost.length === 0) return;
    log.warn(
      { head },
      'the event store has lost events: read models are built anew beside the old',
    );
    projectorMetrics.rebuilds.inc(lost.length);
    await answering.betweenBatches(async () => {
      // First: what this feed brings from now on is not for a generation that is built anew.
      this.#over.abort();
      for (const partition of lost) await partition.build(identity.layoutId);
    });
  }

  #reportBuild(): void {
    const building = this.#feeds.find(({ feed }) => feed.isBuilding);
    const share = building === undefined ? 1 : findShare(building.feed.watermark, this.#head);
    if (share === undefined) return;
    projectorMetrics.builtShare.set(share);
    if (building !== undefined) this.#options.onProgress?.(share);
  }

  async #retryParked(): Promise<void> {
    for (const feed of this.#feeds) if (feed.isCaughtUp) await feed.retryParked();
  }

  async #tidy(): Promise<void> {
    const { redis, identity, partitions, holder, log, unusedKeptMs } = this.#options;
    await touchReadModels(redis, identity, this.#names);
    const own = this.#names;
    const ledger = identity;
    const signal = this.#signal;
    await retireReadModels({ redis, ledger, own, holder, log, signal, keptMs: unusedKeptMs });
    await deleteLeftovers(redis, identity.layoutId, partitions, signal);
  }
}

/** Positions are counted from the beginning of the log, in events or in bytes. Undefined for no log. */
function findShare(position: Position, head: Position): number | undefined {
  const end = Number(head);
  return end === 0 ? undefined : Math.min(1, Number(position) / end);
}
