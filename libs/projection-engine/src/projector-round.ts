import pLimit from 'p-limit';
import { type FeedItem, type LedgerStore, Partitions, runCatchUp } from '#event-store';
import type { Position } from '#domain/event';
import { type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import { type Projection, projections as allProjections } from '#projections';
import type { Redis } from '#redis';
import type { LedgerIdentity, Namespace } from './keys.js';
import { createLagMeter } from './lag.js';
import type { Lease } from './leases/leases.js';
import { IDLE_MOVE_MS, LAG_SAMPLE_MS, NAMESPACE_TOUCH_MS, WATCH_MS } from './limits.js';
import { retireNamespaces, touchNamespace } from './namespaces.js';
import { RebuildStopped } from './parked-streams.js';
import { Projector } from './projector.js';
import { projectorMetrics } from './projector-metrics.js';
import { StoreExchanged } from './store-exchanged.js';

interface RoundOptions {
  readonly store: LedgerStore;
  readonly identity: LedgerIdentity;
  readonly redis: Redis;
  readonly namespace: Namespace;
  readonly projections?: readonly Projection<unknown>[];
  readonly holder: string;
  readonly leases: readonly Lease[];
  readonly signal: AbortSignal;
  readonly log: Log;
  /** All of history is in what is held; it may be called more than once. */
  readonly onLive: () => void;
  readonly namespaceKeptMs?: number;
}

/**
 * One subscription over the partitions that are held, and a watch beside it that sees what the feed
 * cannot. It is over when these partitions are no longer what is held, or are not where they were left.
 */
export class ProjectorRound {
  readonly #options: RoundOptions;
  readonly #projector: Projector;
  readonly #measureLag = createLagMeter();
  /** One act at a time: the feed's batches and the looks of the watch. */
  readonly #oneAtATime = pLimit(1);
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  #isCaughtUp = false;
  #isMoveAwaited = false;
  #failure: Error | undefined;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#over.signal]);
    const { projections = allProjections, leases } = options;
    this.#projector = new Projector({ ...options, projections }, leases);
  }

  /** @throws RebuildStopped, StoreExchanged: another round would end the same way. */
  async run(): Promise<void> {
    const { store, projections = allProjections, log, leases, identity } = this.#options;
    const held = leases.map(({ partition }) => partition);
    const buckets = new Partitions(identity.partitions).rangesFor(held);
    const watching = this.#watch();
    await runCatchUp({
      store,
      categories: projections.map(({ category }) => category),
      ...(buckets && { buckets }),
      loadCheckpoint: () => this.#oneAtATime(() => this.#open()),
      handleBatch: (events, upTo) => this.#oneAtATime(() => this.#apply(events, upTo)),
      signal: this.#signal,
      log,
      onCaughtUp: () => {
        this.#isCaughtUp = true;
        void this.#settle();
      },
    });
    this.#over.abort();
    await watching;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #open(): Promise<Position> {
    this.#isCaughtUp = false;
    await touchNamespace(this.#options.redis, this.#options.namespace);
    return this.#endOnFailure(() => this.#projector.open());
  }

  async #apply(events: readonly FeedItem[], upTo: Position): Promise<void> {
    await this.#endOnFailure(() => this.#projector.apply(events, upTo));
    if (this.#projector.hasIdleMoves) this.#moveIdleSoon();
  }

  /** What no other attempt can mend ends the round for good. */
  async #endOnFailure<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof RebuildStopped || error instanceof StoreExchanged) {
        this.#failure = error;
        this.#over.abort();
      }
      throw error;
    }
  }

  #moveIdleSoon(): void {
    if (this.#isMoveAwaited) return;
    this.#isMoveAwaited = true;
    const move = async () => {
      await sleepUnlessAborted(IDLE_MOVE_MS, this.#signal);
      this.#isMoveAwaited = false;
      if (!this.#signal.aborted) await this.#oneAtATime(() => this.#projector.moveIdle());
    };
    // The next batch, or the next look, finds the partitions closed and opens them again.
    move().catch((error: unknown) => {
      warnSeldom(this.#options.log, error, 'idle partitions could not move on');
    });
  }

  /** Once a second: do the partitions stand where they were left? Seldom: lag, namespaces. */
  async #watch(): Promise<void> {
    let lagDueAt = 0;
    let touchDueAt = 0;
    while (await sleepUnlessAborted(WATCH_MS, this.#signal)) {
      if (this.#isCaughtUp) await this.#settle();
      const now = performance.now();
      if (now >= lagDueAt) {
        lagDueAt = now + LAG_SAMPLE_MS;
        await this.#quietly('measuring the lag', () => this.#reportLag());
      }
      if (now >= touchDueAt) {
        touchDueAt = now + NAMESPACE_TOUCH_MS;
        await this.#quietly('retiring old read models', () => this.#touch());
      }
    }
  }

  /** Goes live, if it has not, and sees that nothing was lost; otherwise the round is over. */
  async #settle(): Promise<void> {
    try {
      await this.#oneAtATime(async () => {
        await this.#projector.check();
        await this.#projector.goLive();
      });
    } catch (error) {
      if (this.#signal.aborted) return;
      warnSeldom(this.#options.log, error, 'the read models are not where they were left');
      this.#over.abort(error);
      return;
    }
    if (this.#projector.isLive) this.#options.onLive();
  }

  async #reportLag(): Promise<void> {
    const head = await this.#options.store.headPosition();
    const lag = this.#measureLag(this.#projector.watermark, head, Date.now());
    projectorMetrics.lagPositions.set(lag.positions);
    projectorMetrics.lagSeconds.set(lag.seconds);
    if (lag.seconds > 0) this.#options.log.warn({ ...lag, head }, 'the read models are behind');
  }

  async #touch(): Promise<void> {
    const { redis, namespace: own, holder, log, namespaceKeptMs: keptMs } = this.#options;
    await touchNamespace(redis, own);
    await retireNamespaces({ redis, own, holder, log, keptMs });
  }

  async #quietly(doing: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      warnSeldom(this.#options.log, error, `${doing} did not succeed`);
    }
  }
}
