import type { Position } from '#domain/event';
import { type FeedItem, START } from '#event-store';
import { assertDefect, Fault } from '#platform';
import type { Projection } from '#projections';
import { type PartitionPlan, planBatch } from './batch-plan.js';
import type { Checkpoint } from './checkpoint.js';
import type { PartitionKeys } from './keys.js';
import type { Lease } from './leases/leases.js';
import { IDLE_MOVE_MS } from './limits.js';
import { type ParkedStream, RebuildStopped } from './parked-streams.js';
import { Partition } from './partition.js';
import { type PreparationParts, preparePartitions } from './preparation.js';
import { projectorMetrics } from './projector-metrics.js';

export interface ProjectorParts extends PreparationParts {
  readonly projections: readonly Projection<unknown>[];
}

/** Feeds events into the partitions that this process holds. Its calls come one at a time. */
export class Projector {
  readonly #parts: ProjectorParts;
  readonly #partitions: ReadonlyMap<number, Partition>;
  readonly #byCategory: ReadonlyMap<string, Projection<unknown>>;
  /** Up to where partitions have everything, since there was nothing for them, and do not say so yet. */
  readonly #idleUpTo = new Map<Partition, Position>();
  #idleMovedAtMs = -IDLE_MOVE_MS;
  /** Not so after a partition was found elsewhere than expected: what the feed brings no longer joins on. */
  #isOpen = false;

  constructor(parts: ProjectorParts, leases: readonly Lease[]) {
    this.#parts = parts;
    const { redis, namespace } = parts;
    const held = leases.map(({ partition, fence }) => {
      const keys = namespace.partitions[partition];
      assertDefect(keys !== undefined, `there is no partition ${partition}`);
      return [partition, new Partition(redis, keys, fence, leases.length)] as const;
    });
    this.#partitions = new Map(held);
    this.#byCategory = new Map(parts.projections.map((each) => [each.category, each]));
  }

  /** Everything up to here is in all partitions that are held. */
  get watermark(): Position {
    const positions = this.#held.map(
      (partition) => this.#idleUpTo.get(partition) ?? partition.checkpoint.position,
    );
    return positions.reduce((lowest, each) => (each < lowest ? each : lowest));
  }

  get isLive(): boolean {
    return this.#held.every(({ checkpoint }) => checkpoint.current?.phase === 'live');
  }

  /** Whether `moveIdle` has something to do, in at most `IDLE_MOVE_MS`. */
  get hasIdleMoves(): boolean {
    return this.#idleUpTo.size > 0;
  }

  /**
   * Sees where the partitions stand, and prepares those for a rebuild that cannot go on from there.
   *
   * @returns the lowest of their positions, to go on after. @throws Fault; StoreExchanged.
   */
  async open(): Promise<Position> {
    this.#isOpen = false;
    this.#idleUpTo.clear();
    await preparePartitions(this.#parts, this.#held);
    this.#countParked();
    this.#isOpen = true;
    return this.watermark === '' ? START : this.watermark;
  }

  /**
   * Applies a batch. Partitions without an event in it move on, too: at once, or soon with `moveIdle`.
   *
   * @throws Fault `conflict` when a partition was lost or taken over: `open` it again. RebuildStopped.
   */
  async apply(items: readonly FeedItem[], upTo: Position): Promise<void> {
    this.#assertOpen();
    const find = (id: string): PartitionKeys => this.#parts.namespace.find(id);
    const plans = planBatch(items, this.#partitions, find, this.#byCategory);
    const busy = this.#held.filter(({ keys }) => plans.has(keys.number));
    for (const partition of this.#held) {
      if (plans.has(partition.keys.number)) this.#idleUpTo.delete(partition);
      else if (partition.checkpoint.position < upTo) this.#idleUpTo.set(partition, upTo);
    }
    const applying = busy.map((partition) =>
      this.#applyToPartition(partition, plans.get(partition.keys.number), upTo),
    );
    const isIdleMoveDue = performance.now() - this.#idleMovedAtMs >= IDLE_MOVE_MS;
    await this.#closeOnError([...applying, ...(isIdleMoveDue ? [this.moveIdle()] : [])]);
  }

  /** Writes how far the partitions are for which there was nothing. @throws Fault as `apply` does. */
  async moveIdle(): Promise<void> {
    this.#idleMovedAtMs = performance.now();
    const moves = [...this.#idleUpTo];
    this.#idleUpTo.clear();
    const moving = moves.map(([partition, position]) => this.#move(partition, { position }));
    await this.#closeOnError(moving);
  }

  /** All of history is in: from now on the partitions answer queries. @throws Fault as `apply` does. */
  async goLive(): Promise<void> {
    this.#assertOpen();
    await this.moveIdle();
    const rebuilt = this.#held.filter(
      ({ checkpoint }) => checkpoint.current?.phase === 'rebuilding',
    );
    await this.#closeOnError(rebuilt.map((partition) => this.#move(partition, { phase: 'live' })));
  }

  /** Looks whether the partitions stand where they were left. @throws Fault when not so. */
  async check(): Promise<void> {
    this.#assertOpen();
    const looking = this.#held.map(async ({ checkpoint, keys }) => {
      if (!(await checkpoint.isUnchanged())) throw goneAhead(keys.number);
    });
    await this.#closeOnError(looking);
  }

  get #held(): Partition[] {
    return [...this.#partitions.values()];
  }

  async #applyToPartition(
    partition: Partition,
    plan: PartitionPlan | undefined,
    upTo: Position,
  ): Promise<void> {
    const checkpoint = partition.checkpoint.current;
    assertDefect(plan !== undefined && checkpoint !== undefined, 'a partition that was not opened');
    const folded = await partition.fold(plan.streams);
    const unfit = folded.flatMap(({ change }) => (change.parked ? [change.parked] : []));
    const parked = [...plan.parked, ...unfit];
    stopIfRebuilding(checkpoint, parked);
    const outcome = await partition.commit(folded, parked, { ...checkpoint, position: upTo });
    if (outcome !== 'applied') throw goneAhead(partition.keys.number);
    projectorMetrics.batches.inc();
    projectorMetrics.events.inc(plan.streams.reduce((sum, { events }) => sum + events.length, 0));
    this.#logParked(parked);
  }

  async #move({ checkpoint, keys }: Partition, to: Partial<Checkpoint>): Promise<void> {
    const { current } = checkpoint;
    assertDefect(current !== undefined, 'a partition that was not opened');
    if ((await checkpoint.commit({ ...current, ...to })) !== 'applied')
      throw goneAhead(keys.number);
    projectorMetrics.batches.inc();
  }

  /** All are waited for, also when one fails: nothing goes on behind the next call's back. */
  async #closeOnError(acts: readonly Promise<void>[]): Promise<void> {
    const outcomes = await Promise.allSettled(acts);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed === undefined) return;
    this.#isOpen = false;
    throw failed.reason;
  }

  #logParked(parked: readonly ParkedStream[]): void {
    for (const stream of parked) {
      this.#parts.log.error(stream, 'a stream is parked: its read model stays as it is');
    }
    if (parked.length > 0) this.#countParked();
  }

  #assertOpen(): void {
    if (this.#isOpen) return;
    throw new Fault('conflict', 'the partitions have to be opened again', { retryable: true });
  }

  #countParked(): void {
    projectorMetrics.parked.set(this.#held.reduce((sum, { parked }) => sum + parked.count, 0));
  }
}

function stopIfRebuilding({ phase }: Checkpoint, [first]: readonly ParkedStream[]): void {
  if (first !== undefined && phase !== 'live') throw new RebuildStopped(first);
}

function goneAhead(partition: number): Fault {
  projectorMetrics.fenced.inc();
  const message = `partition ${partition} was taken over, cleared, or thrown back with Redis`;
  return new Fault('conflict', message, { retryable: true });
}
