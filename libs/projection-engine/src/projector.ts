import type { Redis } from 'ioredis';
import type { Position } from '#domain/event';
import { type FeedItem, type LedgerStore, START } from '#event-store';
import { assertDefect, Fault, type Log, sleep } from '#platform';
import type { Projection } from '#projections';
import { type PartitionPlan, planBatch } from './batch-plan.js';
import type { Checkpoint } from './checkpoint.js';
import { clearPartition } from './clearing.js';
import { findRebuildReason } from './rebuild-reason.js';
import type { Namespace } from './keys.js';
import { Partition } from './partition.js';
import { AHEAD_RECHECK_MS, CLEARING_TAKEOVER_MS, FENCED_ATTEMPTS } from './limits.js';
import { type ParkedStream, RebuildStopped } from './parked-streams.js';
import { projectorMetrics } from './projector-metrics.js';

export interface ProjectorParts {
  readonly store: LedgerStore;
  readonly redis: Redis;
  readonly namespace: Namespace;
  readonly projections: readonly Projection<unknown>[];
  readonly log: Log;
}

/** Feeds events into partitions. Its calls come one at a time. */
export class Projector {
  readonly #parts: ProjectorParts;
  readonly #partitions: readonly Partition[];
  readonly #byCategory: ReadonlyMap<string, Projection<unknown>>;
  #clearing: { by: string; sinceMs: number } | undefined;
  /** Not so after a partition was found elsewhere than expected: what the feed brings no longer joins on. */
  #isOpen = false;

  constructor(parts: ProjectorParts) {
    this.#parts = parts;
    this.#partitions = parts.namespace.partitions.map((keys) => new Partition(parts.redis, keys));
    this.#byCategory = new Map(parts.projections.map((each) => [each.category, each]));
  }

  /** Everything up to here is in all partitions. */
  get watermark(): Position {
    const positions = this.#partitions.map(({ checkpoint }) => checkpoint.position);
    return positions.reduce((lowest, each) => (each < lowest ? each : lowest));
  }

  get isLive(): boolean {
    return this.#partitions.every(({ checkpoint }) => checkpoint.current?.phase === 'live');
  }

  /**
   * Sees where the partitions stand, and prepares those for a rebuild that cannot go on from there.
   *
   * @returns the position to go on after. @throws Fault.
   */
  async open(): Promise<Position> {
    this.#isOpen = false;
    const { storeId: id } = await this.#parts.store.namespaces.require();
    const store = { id, head: await this.#parts.store.headPosition() };
    for (const partition of this.#partitions) {
      await partition.load();
      await this.#prepare(partition, store);
    }
    this.#countParked();
    this.#isOpen = true;
    return this.watermark === '' ? START : this.watermark;
  }

  /** Applies a batch to every partition, those without an event in it too: all watermarks move on. */
  async apply(items: readonly FeedItem[], upTo: Position): Promise<void> {
    for (let attempt = 0; attempt < FENCED_ATTEMPTS; attempt += 1) {
      this.#assertOpen();
      const plans = planBatch(items, this.#partitions, this.#parts.namespace, this.#byCategory);
      // All are waited for, also when one fails: nothing goes on behind the next call's back.
      const outcomes = await Promise.allSettled(
        this.#partitions.map((partition, at) => this.#applyToPartition(partition, plans[at], upTo)),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      if (outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value)) return;
    }
    throw new Fault('conflict', 'other projectors keep going ahead', { retryable: true });
  }

  /** All of history is in: from now on the partitions answer queries. */
  async goLive(): Promise<void> {
    this.#assertOpen();
    for (const partition of this.#partitions) {
      const checkpoint = partition.checkpoint.current;
      if (checkpoint?.phase !== 'rebuilding') continue;
      const outcome = await partition.checkpoint.commit({ ...checkpoint, phase: 'live' });
      if (outcome !== 'applied') await this.#follow(partition);
    }
  }

  /** Looks whether the partitions stand where they were left, or further. @throws Fault when not so. */
  async check(): Promise<void> {
    this.#assertOpen();
    for (const partition of this.#partitions)
      if (!(await partition.checkpoint.isUnchanged())) await this.#follow(partition);
  }

  async #prepare(partition: Partition, store: { id: string; head: Position }): Promise<void> {
    let reason = findRebuildReason(partition.checkpoint, store);
    if (reason === 'ahead_of_store') {
      await sleep(AHEAD_RECHECK_MS);
      const head = await this.#parts.store.headPosition();
      reason = findRebuildReason(partition.checkpoint, { ...store, head });
    }
    if (reason === undefined) return;
    if (reason === 'clearing') this.#assertAbandoned(partition.checkpoint.current);
    const { checkpoint, keys } = partition;
    const details = {
      reason,
      partition: keys.number,
      checkpoint: checkpoint.stored,
      store,
      namespace: keys.prefix,
    };
    this.#parts.log.warn(details, 'the read models are being rebuilt from the event store');
    projectorMetrics.rebuilds.inc();
    await clearPartition(this.#parts.redis, partition, store.id);
  }

  /** Another projector is deleting keys here; only one that has been at it for long may be dead. */
  #assertAbandoned(checkpoint: Checkpoint | undefined): void {
    const by = checkpoint?.epoch ?? '';
    if (this.#clearing?.by !== by) this.#clearing = { by, sinceMs: performance.now() };
    if (performance.now() - this.#clearing.sinceMs >= CLEARING_TAKEOVER_MS) return;
    throw new Fault('conflict', 'another projector is clearing the read models', {
      retryable: true,
    });
  }

  /** @returns false when another projector went ahead: then the partition is looked at anew. */
  async #applyToPartition(
    partition: Partition,
    plan: PartitionPlan | undefined,
    upTo: Position,
  ): Promise<boolean> {
    if (upTo <= partition.checkpoint.position) return true;
    const checkpoint = partition.checkpoint.current;
    assertDefect(plan !== undefined && checkpoint !== undefined, 'a partition that was not opened');
    const folded = await partition.fold(plan.streams);
    const unfit = folded.flatMap(({ change }) => (change.parked ? [change.parked] : []));
    const parked = [...plan.parked, ...unfit];
    this.#stopIfRebuilding(checkpoint, parked);
    const outcome = await partition.commit(folded, parked, { ...checkpoint, position: upTo });
    if (outcome !== 'applied') {
      projectorMetrics.fenced.inc();
      await this.#follow(partition);
      return false;
    }
    projectorMetrics.batches.inc();
    projectorMetrics.events.inc(plan.streams.reduce((sum, { events }) => sum + events.length, 0));
    this.#logParked(parked);
    return true;
  }

  #stopIfRebuilding(checkpoint: Checkpoint, [first]: readonly ParkedStream[]): void {
    if (first !== undefined && checkpoint.phase !== 'live') throw new RebuildStopped(first);
  }

  #logParked(parked: readonly ParkedStream[]): void {
    for (const stream of parked) {
      this.#parts.log.error(stream, 'a stream is parked: its read model stays as it is');
    }
    if (parked.length > 0) this.#countParked();
  }

  /** Goes on from where another projector has got to. @throws Fault when the partition was thrown back. */
  async #follow(partition: Partition): Promise<void> {
    try {
      await partition.follow();
    } catch (error) {
      this.#isOpen = false;
      throw error;
    }
  }

  #assertOpen(): void {
    if (this.#isOpen) return;
    throw new Fault('conflict', 'the partitions have to be opened again', { retryable: true });
  }

  #countParked(): void {
    projectorMetrics.parked.set(
      this.#partitions.reduce((sum, partition) => sum + partition.parked.count, 0),
    );
  }
}
