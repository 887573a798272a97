import type { Position, RecordedEvent } from '#domain/event';
import { type FeedItem, Partitions, START } from '#event-store';
import { Fault, type Log } from '#platform';
import { type Redis, redisReply } from '#redis';
import { type PartitionPlan, planBatch, ReaderTable } from './batch-plan.js';
import { findLowest } from './checkpoint.js';
import type { FoldedBatch } from './fold-batch.js';
import type { AwaitedPositions } from './awaited-positions.js';
import { IDLE_MOVE_EVERY_MS } from './limits.js';
import type { ParkedStream } from './parked-streams.js';
import { PartitionCommits } from './partition-commits.js';
import { goneAhead, type ProjectedPartition } from './projected-partition.js';
import { projectorMetrics } from './projector-metrics.js';

interface FeedParts {
  readonly redis: Redis;
  /** Into how many partitions the ledger is divided. */
  readonly count: number;
  readonly log: Log;
  /** What readers wait for. */
  readonly awaited: Pick<AwaitedPositions, 'find'>;
}

/**
 * Feeds events to read models in the partitions that this process holds, all of which answer, or all of
 * which are being built. Its calls come one at a time.
 */
export class ProjectionFeed {
  readonly #parts: FeedParts;
  readonly #partitions: readonly ProjectedPartition[];
  readonly #table: ReaderTable<ProjectedPartition>;
  readonly #numbering: Partitions;
  readonly #commits: PartitionCommits;
  /** Whether it was made to feed what is being built: a build that begins later is another feed's. */
  readonly isBuilding: boolean;
  /** Up to where partitions have everything, since there was nothing for them, and do not say so yet. */
  readonly #idleUpTo = new Map<ProjectedPartition, Position>();
  #idleMovedAtMs = performance.now();
  /** Not so after a partition was found elsewhere than expected: what the feed brings no longer joins on. */
  #isOpen = false;

  constructor(parts: FeedParts, partitions: readonly ProjectedPartition[]) {
    this.#parts = parts;
    this.#partitions = partitions;
    this.#table = new ReaderTable(partitions);
    this.#numbering = new Partitions(parts.count);
    this.#commits = new PartitionCommits(parts.redis, parts.log);
    this.isBuilding = partitions.some(({ isBuilding }) => isBuilding);
  }

  get partitions(): readonly ProjectedPartition[] {
    return this.#partitions;
  }

  get parkedCount(): number {
    return this.#partitions.reduce((sum, { parked }) => sum + parked.count, 0);
  }

  /** Whether the partitions stand where this feed left them, as far as it knows. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Everything up to here is in all partitions that are fed. */
  get watermark(): Position {
    const positions = this.#partitions.map(
      (partition) => this.#idleUpTo.get(partition) ?? partition.position,
    );
    return findLowest(positions);
  }

  /** Whether readers wait for what `moveAwaited` would write. */
  get hasAwaitedMoves(): boolean {
    return [...this.#idleUpTo.keys()].some((partition) => this.#isAwaited(partition));
  }

  /**
   * Looks where the partitions stand.
   *
   * @returns the lowest of their positions, to go on after.
   * @throws Fault: of Redis; `conflict` where one has lost its checkpoint, and has to be built.
   */
  async open(): Promise<Position> {
    this.#isOpen = false;
    this.#idleUpTo.clear();
    await Promise.all(this.#partitions.map((partition) => partition.load()));
    for (const { number, isBuilding, answering } of this.#partitions) {
      if (isBuilding !== this.isBuilding || (!isBuilding && answering.current === undefined)) {
        throw goneAhead(number);
      }
    }
    this.#isOpen = true;
    return this.watermark === '' ? START : this.watermark;
  }

  /**
   * Applies a batch. Partitions without an event in it move on, too, in their time.
   *
   * @throws Fault `conflict` when a partition was lost or taken over: `open` it again.
   */
  async apply(items: readonly FeedItem[], upTo: Position): Promise<void> {
    this.#requireOpen();
    const plans = planBatch(items, this.#table, (id) => this.#numbering.find(id));
    const busy = new Set([...plans.keys()].map(({ number }) => number));
    for (const partition of this.#partitions) {
      if (busy.has(partition.number)) this.#idleUpTo.delete(partition);
      else if (partition.position < upTo) this.#idleUpTo.set(partition, upTo);
    }
    const applying = [...busy].map((number) => {
      const there = this.#partitions.filter((partition) => partition.number === number);
      return this.#commits.apply(there, plans, upTo);
    });
    const isMoveDue = performance.now() - this.#idleMovedAtMs >= IDLE_MOVE_EVERY_MS;
    await this.#closeOnError([...applying, ...(isMoveDue ? [this.moveIdle()] : [])]);
    projectorMetrics.events.inc(countEvents(plans));
  }

  /** Writes how far the partitions are for which there was nothing. @throws Fault as `apply` does. */
  async moveIdle(): Promise<void> {
    this.#idleMovedAtMs = performance.now();
    await this.#move([...this.#idleUpTo]);
  }

  /** The same for partitions for which readers wait. @throws Fault as `apply` does. */
  async moveAwaited(): Promise<void> {
    await this.#move([...this.#idleUpTo].filter(([partition]) => this.#isAwaited(partition)));
  }

  async #move(moves: readonly (readonly [ProjectedPartition, Position])[]): Promise<void> {
    for (const [partition] of moves) this.#idleUpTo.delete(partition);
    const numbers = new Set(moves.map(([{ number }]) => number));
    const moving = [...numbers].map((number) =>
      this.#commits.commit(
        moves
          .filter(([partition]) => partition.number === number)
          .map(([partition, upTo]) => ({ partition, upTo })),
      ),
    );
    await this.#closeOnError(moving);
  }

  /** Looks whether the partitions stand where they were left. @throws Fault `conflict` when not so. */
  async check(): Promise<void> {
    this.#requireOpen();
    const numbers = new Set(this.#partitions.map(({ number }) => number));
    await this.#closeOnError([...numbers].map((number) => this.#checkIn(number)));
  }

  /** All of history is in: what was built answers from now on. @throws Fault as `apply` does. */
  async promote(): Promise<void> {
    this.#requireOpen();
    await this.moveIdle();
    await this.#closeOnError(this.#partitions.map((partition) => partition.promote()));
  }

  /** Commits what `retryParked` has folded. @throws Fault as `apply` does. */
  async commitUnparked(
    partition: ProjectedPartition,
    stream: ParkedStream,
    folded: FoldedBatch,
  ): Promise<void> {
    this.#requireOpen();
    const { position } = partition;
    const unparked = [stream.streamName];
    await this.#closeOnError([
      this.#commits.commit([{ partition, upTo: position, folded, unparked }]),
    ]);
  }

  #isAwaited(partition: ProjectedPartition): boolean {
    return partition.position < this.#parts.awaited.find(partition.number);
  }

  /** One question for all read models of a partition. */
  async #checkIn(number: number): Promise<void> {
    const left = this.#partitions.flatMap((each) => (each.number === number ? each.left : []));
    const found = await redisReply(this.#parts.redis.mget(left.map(({ key }) => key)));
    if (left.some(({ stored }, at) => (found[at] ?? '') !== stored)) throw goneAhead(number);
  }

  /** All are waited for, also when one fails: nothing goes on behind the next call's back. */
  async #closeOnError(acts: readonly Promise<void>[]): Promise<void> {
    const outcomes = await Promise.allSettled(acts);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed === undefined) return;
    this.#isOpen = false;
    throw failed.reason;
  }

  #requireOpen(): void {
    if (this.#isOpen) return;
    throw new Fault('conflict', 'the partitions have to be opened again', { retryable: true });
  }
}

/** Each event once, however many read models have it. */
function countEvents(plans: ReadonlyMap<ProjectedPartition, PartitionPlan>): number {
  const counted = new Set<RecordedEvent>();
  for (const { events } of plans.values()) for (const event of events) counted.add(event);
  return counted.size;
}
