import pLimit from 'p-limit';
import type { Position } from '#domain/event';
import {
  type FeedItem,
  type LedgerStore,
  PARKED_RETRY_CATEGORY,
  PARKED_RETRY_REQUESTED,
  Partitions,
  runCatchUp,
} from '#event-store';
import { type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import type { AwaitedPositions } from './awaited-positions.js';
import { AWAITED_MOVE_MS, BUILD_BATCH_SIZE, PARKED_RETRIED } from './limits.js';
import { retryParkedStream } from './parked-retry.js';
import type { ParkedStream } from './parked-streams.js';
import type { ProjectedPartition } from './projected-partition.js';
import type { ProjectionFeed } from './projection-feed.js';

interface FollowedFeedOptions {
  readonly store: LedgerStore;
  readonly feed: ProjectionFeed;
  readonly awaited: AwaitedPositions;
  /** Into how many partitions the ledger is divided. */
  readonly count: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** All that was in the store is in the feed. */
  readonly onCaughtUp: () => void;
  /** A batch was applied, or there was none to apply; it may be called more than once. */
  readonly onMoved: () => void;
  /** The partitions are not where they were left: the round is over. */
  readonly onLost: (error: unknown) => void;
}

interface ParkedEntry {
  readonly partition: ProjectedPartition;
  readonly stream: ParkedStream;
}

/** A feed with its subscription: one expression for all of its categories and partitions. */
export class FollowedFeed {
  readonly #options: FollowedFeedOptions;
  /** One act at a time: batches, and what is done between them. */
  readonly #oneAtATime = pLimit(1);
  #isCaughtUp = false;
  #isMovingSoon = false;
  #movedAtMs = 0;
  #firstRetried = 0;

  constructor(options: FollowedFeedOptions) {
    this.#options = options;
  }

  get feed(): ProjectionFeed {
    return this.#options.feed;
  }

  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Runs until the signal is aborted; never throws. */
  async run(): Promise<void> {
    const { store, feed, count, signal, log, onCaughtUp, onMoved, awaited } = this.#options;
    awaited.addEventListener('heard', () => this.#moveAwaited(), { signal });
    const categories = new Set(feed.partitions.flatMap(({ projection }) => projection.categories));
    const numbers = new Set(feed.partitions.map(({ number }) => number));
    const buckets = new Partitions(count).rangesFor([...numbers]);
    await runCatchUp({
      store,
      categories: [...categories],
      everywhere: [PARKED_RETRY_CATEGORY],
      ...(buckets && { buckets }),
      loadCheckpoint: () => this.#open(),
      handleBatch: (events, upTo) => this.#apply(events, upTo),
      ...(feed.isBuilding && { batchSize: BUILD_BATCH_SIZE }),
      signal,
      log,
      onCaughtUp: () => {
        this.#isCaughtUp = true;
        onMoved();
        onCaughtUp();
      },
    });
  }

  /**
   * Writes how far partitions are that had no event, when the round is over: the next one begins at the
   * lowest of them, and would read again what this one has read. @throws Fault: it reads it again.
   */
  async leave(): Promise<void> {
    await this.#oneAtATime(async () => {
      if (this.#options.feed.isOpen) await this.#options.feed.moveIdle();
    });
  }

  /** Does something while no batch is under way; undefined when the round is over by then. */
  betweenBatches<T>(act: () => Promise<T>): Promise<T | undefined> {
    return this.#oneAtATime(async () => (this.#options.signal.aborted ? undefined : act()));
  }

  /**
   * Tries what is parked once more: all of it, or until so many have stayed parked. The next call goes on
   * behind these. @throws Fault.
   */
  async retryParked(atMost = PARKED_RETRIED): Promise<void> {
    const { feed, signal } = this.#options;
    const all = feed.partitions.flatMap((partition) =>
      partition.parked.list.map((stream) => ({ partition, stream })),
    );
    const first = all.length === 0 ? 0 : this.#firstRetried % all.length;
    let stayed = 0;
    for (const entry of [...all.slice(first), ...all.slice(0, first)]) {
      if (signal.aborted || stayed >= atMost) break;
      if (!(await this.#retry(entry))) stayed += 1;
    }
    this.#firstRetried = first + stayed;
  }

  async #retry({ partition, stream }: ParkedEntry): Promise<boolean> {
    const { store, feed, log } = this.#options;
    const isDone = await this.betweenBatches(() =>
      retryParkedStream(store, feed, partition, stream),
    );
    if (isDone !== true) return false;
    const details = { ...stream, readModel: partition.projection.name };
    log.info(details, 'a stream is parked no more');
    return true;
  }

  async #open(): Promise<Position> {
    this.#isCaughtUp = false;
    try {
      return await this.#oneAtATime(() => this.#options.feed.open());
    } catch (error) {
      this.#options.onLost(error);
      throw error;
    }
  }

  async #apply(events: readonly FeedItem[], upTo: Position): Promise<void> {
    await this.betweenBatches(() => this.#options.feed.apply(events, upTo));
    this.#options.onMoved();
    this.#moveAwaited();
    const isAsked = events.some(({ type }) => type === PARKED_RETRY_REQUESTED);
    if (isAsked && this.#isCaughtUp) this.#retryNow();
  }

  /** An operator has asked for it (rules/events 5); otherwise it comes with its time. */
  #retryNow(): void {
    this.retryParked(Infinity).catch((error: unknown) => {
      warnSeldom(this.#options.log, error, 'parked streams could not be tried again');
    });
  }

  /** At once, or as soon as the move before is long enough ago. */
  #moveAwaited(): void {
    const { signal, feed, log } = this.#options;
    if (this.#isMovingSoon || !feed.hasAwaitedMoves) return;
    this.#isMovingSoon = true;
    const move = async () => {
      const waitMs = this.#movedAtMs + AWAITED_MOVE_MS - performance.now();
      if (waitMs > 0) await sleepUnlessAborted(waitMs, signal);
      this.#isMovingSoon = false;
      this.#movedAtMs = performance.now();
      await this.betweenBatches(() => feed.moveAwaited());
    };
    // The next batch, or the next look, finds the partitions closed and opens them again.
    move().catch((error: unknown) => {
      warnSeldom(log, error, 'partitions for which readers wait could not move on');
    });
  }
}
