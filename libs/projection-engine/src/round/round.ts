import pLimit from 'p-limit';
import { idOf, type Position } from '#domain/event';
import {
  type FeedItem,
  type LedgerStore,
  PARKED_RETRY_CATEGORY,
  PARKED_RETRY_REQUESTED,
  Partitions,
  runCatchUp,
  START,
} from '#event-store';
import { type Log, settleAll, sleepUnlessAborted } from '#platform';
import type { Redis } from '#redis';
import {
  AWAITED_MOVE_MS,
  BUILD_BATCH_SIZE,
  DOCUMENTS_AT_ONCE,
  PARKED_RETRIED,
  TICK_MS,
} from '../limits.js';
import { Partition } from '../partition/partition.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';
import type { AwaitedPositions } from '../stored/awaited-positions.js';
import { findLowest } from '../stored/checkpoint.js';

/** The way in which generations are fed: those of one kind share a round. */
export interface RoundKind {
  /** They take in history, and are not needed before they have all of it. */
  readonly isCatchingUp: boolean;
  /** The most events in a second over all partitions of the ledger; null for no bound. */
  readonly maxPerSecond: number | null;
}

export interface RoundOptions {
  readonly kind: RoundKind;
  readonly store: LedgerStore;
  readonly redis: Redis;
  /** The number of partitions of the ledger. */
  readonly count: number;
  /** The positions for which readers wait. */
  readonly awaited: AwaitedPositions;
  /** Ends the round. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called when all that was in the store is in the read models; also after a new subscription. */
  readonly onCaughtUp: (round: Round) => void;
  /** A batch was applied, or there was none to apply; it may be called more than once. */
  readonly onMoved: (round: Round) => void;
  /** An act failed: the partitions may stand elsewhere, and the signal has to end the round. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Feeds generations of read models in the partitions that this process holds, all of which have all of history, or
 * all of which take it in: one subscription for all of their categories and partitions. Batches, and all that is done
 * between them, come one at a time. A failure of Redis, or a partition that another process has moved, ends
 * the round.
 */
export class Round {
  readonly #partitions: readonly Partition[];
  readonly #numbering: Partitions;
  readonly #oneAtATime = pLimit(1);
  #isCaughtUp = false;
  #idleMovedAtMs = performance.now();
  #awaitedMovedAtMs = 0;
  #isMovingSoon = false;
  #firstRetried = 0;
  #nextAtMs = 0;

  /** @param readModels as they were loaded; one at least. */
  constructor(
    private readonly options: RoundOptions,
    readModels: readonly PartitionDocuments[],
  ) {
    this.#numbering = new Partitions(options.count);
    this.#partitions = this.#numbering.numbers.flatMap((number) => {
      const there = readModels.filter((each) => each.number === number);
      return there.length === 0 ? [] : new Partition(options, number, there);
    });
  }

  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  get isCatchingUp(): boolean {
    return this.options.kind.isCatchingUp;
  }

  /** The generations that it feeds. */
  get generations(): readonly PartitionDocuments[] {
    return this.#readModels;
  }

  get parkedCount(): number {
    return this.#readModels.reduce((sum, { parked }) => sum + parked.size, 0);
  }

  /** Everything up to here is in all read models of the round. */
  get watermark(): Position {
    return findLowest(this.#partitions.map(({ watermark }) => watermark));
  }

  /** Runs until the signal is aborted; never throws. */
  async run(): Promise<void> {
    const { store, signal, log, awaited, onCaughtUp, onMoved } = this.options;
    awaited.addEventListener('heard', () => void this.moveAwaited(), { signal });
    const categories = new Set(this.#readModels.flatMap(({ projection }) => projection.categories));
    const buckets = this.#numbering.rangesFor(this.#partitions.map(({ number }) => number));
    await runCatchUp({
      store,
      categories: [...categories],
      everywhere: [PARKED_RETRY_CATEGORY],
      ...(buckets && { buckets }),
      loadCheckpoint: async () => {
        this.#isCaughtUp = false;
        return this.watermark === '' ? START : this.watermark;
      },
      handleBatch: (events, upTo) => this.apply(events, upTo),
      ...(this.isCatchingUp && { batchSize: this.#batchSize }),
      signal,
      log,
      onCaughtUp: () => {
        this.#isCaughtUp = true;
        onMoved(this);
        onCaughtUp(this);
      },
    });
  }

  /**
   * Writes how far partitions are that had no event, when the round is over without a failure: the next one begins at
   * the lowest of them, and would read again the events of this one. @throws Fault.
   */
  async leave(): Promise<void> {
    await this.#oneAtATime(() => this.#moveIdle());
  }

  /** Sees that nothing was lost, and writes how far partitions without events are. @returns whether that is so. */
  settle(): Promise<boolean> {
    return this.#act(async () => {
      await settleAll(this.#partitions.map((partition) => partition.check()));
      await this.#moveIdle();
      return true;
    });
  }

  /** Applies a batch. Partitions without an event in it move on, too, in their time. Never throws. */
  async apply(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const byNumber = this.#divide(items);
    await this.#throttle(items.length);
    await this.#act(async () => {
      await settleAll(
        this.#partitions.map((each) => each.apply(byNumber.get(each.number) ?? [], upTo)),
      );
      const isMoveDue = performance.now() - this.#idleMovedAtMs >= TICK_MS;
      if (isMoveDue) await this.#moveIdle();
      return true;
    });
    this.options.onMoved(this);
    void this.moveAwaited();
    const isAsked = items.some(({ type }) => type === PARKED_RETRY_REQUESTED);
    // An operator has asked for it (rules/events 5); otherwise it comes with its time.
    if (isAsked && this.#isCaughtUp) void this.retryParked(Infinity);
  }

  /** Moves partitions for which readers wait: at once, or when the move before is long enough ago. Never throws. */
  async moveAwaited(): Promise<void> {
    if (this.#isMovingSoon || this.#findAwaited().length === 0) return;
    this.#isMovingSoon = true;
    const waitMs = this.#awaitedMovedAtMs + AWAITED_MOVE_MS - performance.now();
    if (waitMs > 0) await sleepUnlessAborted(waitMs, this.options.signal);
    this.#isMovingSoon = false;
    this.#awaitedMovedAtMs = performance.now();
    await this.#act(async () => {
      await settleAll(this.#findAwaited().map((partition) => partition.move()));
      return true;
    });
  }

  /**
   * Tries parked streams once more: all of them, or until so many have stayed parked. The next call goes on
   * behind these. Never throws.
   */
  async retryParked(atMost = PARKED_RETRIED): Promise<void> {
    const { store, signal, log } = this.options;
    const all = this.#partitions.flatMap((partition) =>
      partition.readModels.flatMap((documents) =>
        [...documents.parked.values()].map((stream) => ({ partition, documents, stream })),
      ),
    );
    const first = all.length === 0 ? 0 : this.#firstRetried % all.length;
    let stayed = 0;
    for (const { partition, documents, stream } of [...all.slice(first), ...all.slice(0, first)]) {
      if (signal.aborted || stayed >= atMost) break;
      const isDone = await this.#act(() => partition.retryParked(store, documents, stream));
      const details = { ...stream, readModel: documents.projection.name };
      if (isDone) log.info(details, 'a stream is parked no more');
      else stayed += 1;
    }
    this.#firstRetried = first + stayed;
  }

  get #batchSize(): number {
    return this.options.kind.maxPerSecond === null ? BUILD_BATCH_SIZE : DOCUMENTS_AT_ONCE;
  }

  /** Waits until so many more events keep to the rate; the held partitions have their share of it. */
  async #throttle(events: number): Promise<void> {
    const { kind, count, signal } = this.options;
    if (kind.maxPerSecond === null || this.#isCaughtUp) return;
    const perSecond = (kind.maxPerSecond * this.#partitions.length) / count;
    const nowMs = performance.now();
    this.#nextAtMs = Math.max(nowMs, this.#nextAtMs) + (events * 1_000) / perSecond;
    await sleepUnlessAborted(this.#nextAtMs - nowMs, signal);
  }

  get #readModels(): readonly PartitionDocuments[] {
    return this.#partitions.flatMap(({ readModels }) => readModels);
  }

  #divide(items: readonly FeedItem[]): ReadonlyMap<number, readonly FeedItem[]> {
    const byNumber = new Map<number, FeedItem[]>();
    for (const item of items) {
      const number = this.#numbering.find(idOf(item.streamName));
      const others = byNumber.get(number);
      if (others === undefined) byNumber.set(number, [item]);
      else others.push(item);
    }
    return byNumber;
  }

  #findAwaited(): Partition[] {
    const { awaited } = this.options;
    return this.#partitions.filter((each) => each.hasToMoveFor(awaited.find(each.number)));
  }

  async #moveIdle(): Promise<void> {
    this.#idleMovedAtMs = performance.now();
    await settleAll(this.#partitions.map((partition) => partition.move()));
  }

  /** Does something while no batch is under way. @returns its result; false when the round is over, or by this. */
  #act(act: () => Promise<boolean>): Promise<boolean> {
    const { signal, onLost } = this.options;
    return this.#oneAtATime(async () => {
      if (signal.aborted) return false;
      return act().catch((error: unknown) => {
        onLost(error);
        return false;
      });
    });
  }
}
