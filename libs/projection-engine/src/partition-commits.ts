import type { Position } from '#domain/event';
import type { Log } from '#platform';
import type { Redis } from '#redis';
import { applyBatch } from './apply-batch.js';
import type { PartitionPlan } from './batch-plan.js';
import type { FoldedBatch } from './fold-batch.js';
import type { ParkedStream } from './parked-streams.js';
import { goneAhead, type ProjectedPartition } from './projected-partition.js';
import { projectorMetrics } from './projector-metrics.js';

/** What one read model takes from an act: without anything folded, its checkpoint moves alone. */
interface CommitStep {
  readonly partition: ProjectedPartition;
  readonly upTo: Position;
  readonly folded?: FoldedBatch;
  readonly unparked?: readonly string[];
}

/** Writes what batches come to: all that changes in a partition, of all its read models, in one act. */
export class PartitionCommits {
  readonly #redis: Redis;
  readonly #log: Log;

  constructor(redis: Redis, log: Log) {
    this.#redis = redis;
    this.#log = log;
  }

  /**
   * Folds a batch into read models of a partition, and writes it.
   *
   * @param partitions all that are fed in it, also those without an event in the batch.
   * @throws Fault `conflict` when the partition was lost or taken over, and of Redis.
   */
  async apply(
    partitions: readonly ProjectedPartition[],
    plans: ReadonlyMap<ProjectedPartition, PartitionPlan>,
    upTo: Position,
  ): Promise<void> {
    const folding = partitions.map(async (partition) => {
      const plan = plans.get(partition);
      if (plan === undefined) return { partition, upTo };
      const { changes, parked } = await partition.fold(plan.events);
      // A stream is parked at its first event that cannot be applied, and the fold's come first.
      const others = plan.parked.filter(
        ({ streamName }) => !parked.some((stream) => stream.streamName === streamName),
      );
      return { partition, upTo, folded: { changes, parked: [...parked, ...others] } };
    });
    await this.commit(
      (await Promise.all(folding)).filter(({ partition }) => partition.position < upTo),
    );
  }

  /** One atomic act. @throws as `apply` does. */
  async commit(steps: readonly CommitStep[]): Promise<void> {
    const sections = steps.map(({ partition, upTo, folded, unparked }) =>
      partition.prepare(upTo, folded, unparked),
    );
    const [first] = steps;
    if (first === undefined) return;
    const outcome = await applyBatch(this.#redis, sections);
    if (outcome !== 'applied') {
      projectorMetrics.fenced.inc();
      throw goneAhead(first.partition.number);
    }
    projectorMetrics.batches.inc();
    for (const [at, { partition, folded, unparked }] of steps.entries()) {
      const section = sections[at];
      if (section !== undefined) partition.applied(section, folded, unparked);
      if (folded !== undefined) this.#logParked(partition, folded.parked);
    }
  }

  #logParked({ projection }: ProjectedPartition, parked: readonly ParkedStream[]): void {
    for (const stream of parked) {
      const details = { ...stream, readModel: projection.name };
      this.#log.error(details, 'a stream is parked: its read model stays as it is');
    }
  }
}
