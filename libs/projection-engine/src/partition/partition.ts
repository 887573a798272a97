import type { Position } from '#domain/event';
import type { FeedItem, LedgerStore } from '#event-store';
import { Fault, type Log, warnSeldom } from '#platform';
import { type Redis, redisReply } from '#redis';
import { projectorMetrics } from '../metrics.js';
import { applyBatch } from '../stored/apply-batch.js';
import { findLowest, NOTHING } from '../stored/checkpoint.js';
import type { ParkedStream } from '../stored/parked-stream.js';
import { type BatchPlan, planBatch, readHeldBack } from './batch-plan.js';
import type { FoldedBatch } from './fold-batch.js';
import type { PartitionDocuments } from './partition-documents.js';

/** The share of one read model in an act: where nothing was folded, its checkpoint moves alone. */
interface Step {
  readonly documents: PartitionDocuments;
  readonly upTo: Position;
  readonly folded?: FoldedBatch;
}

/**
 * A partition with the read models that one round feeds in it. All that a batch changes there is written in one atomic
 * act. Calls come one at a time; after a call that threw, the state here does not count.
 */
export class Partition {
  /** Up to here it has everything, since there was nothing for it; its checkpoints do not say so yet. */
  #idleUpTo = NOTHING;

  /** @param readModels one at least, all of the same partition. */
  constructor(
    private readonly parts: { readonly redis: Redis; readonly log: Log },
    readonly number: number,
    readonly readModels: readonly PartitionDocuments[],
  ) {}

  /** Everything up to here is in all of its read models. */
  get watermark(): Position {
    const idleUpTo = this.#idleUpTo;
    return findLowest(
      this.readModels.map(({ position }) => (position > idleUpTo ? position : idleUpTo)),
    );
  }

  /** Whether `move` would write something for those who wait for this position. */
  hasToMoveFor(position: Position): boolean {
    const isBehind = this.readModels.some((each) => each.position < position);
    return this.#idleUpTo !== NOTHING && isBehind;
  }

  /**
   * Applies its part of a batch; without an event for it, it moves on in its time.
   *
   * @throws Fault `conflict` when the partition was lost or taken over; of Redis.
   */
  async apply(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const behind = this.readModels.filter(({ position }) => position < upTo);
    const { plans, events } = planBatch(items, behind);
    if (events === 0 && plans.every(({ parked }) => parked.length === 0)) {
      this.#idleUpTo = upTo;
      return;
    }
    this.#idleUpTo = NOTHING;
    const folding = behind.map((documents, at) => foldPlan(documents, plans[at], upTo));
    await this.#commit(await Promise.all(folding));
    // Each event once, however many read models have it.
    projectorMetrics.events.inc(events);
  }

  /** Writes how far it is, where there was nothing for it. @throws Fault as `apply` does. */
  async move(): Promise<void> {
    const upTo = this.#idleUpTo;
    this.#idleUpTo = NOTHING;
    const behind = this.readModels.filter(({ position }) => position < upTo);
    await this.#commit(behind.map((documents) => ({ documents, upTo })));
  }

  /** Looks whether its read models stand where they were left. @throws Fault `conflict` when not so. */
  async check(): Promise<void> {
    const left = this.readModels.map((documents) => documents.left);
    const found = await redisReply(this.parts.redis.mget(left.map(({ key }) => key)));
    if (left.some(({ stored }, at) => (found[at] ?? '') !== stored)) throw this.#goneAhead();
  }

  /**
   * Tries a parked stream once more: this release may know an event that an earlier one did not. The events after it in
   * the stream are applied with it, up to the partition's position.
   *
   * @returns whether the stream is parked no more. @throws Fault as `apply` does.
   */
  async retryParked(
    store: Pick<LedgerStore, 'readStream'>,
    documents: PartitionDocuments,
    stream: ParkedStream,
  ): Promise<boolean> {
    // Another retry, or another round, may have been faster.
    if (documents.parked.get(stream.streamName)?.revision !== stream.revision) return false;
    // Events that the checkpoint does not cover yet would come neither with the stream nor with the feed.
    await this.move();
    const upTo = documents.position;
    const heldBack = await readHeldBack(store, stream, upTo).catch((error: unknown) => {
      warnSeldom(this.parts.log, error, 'a parked stream could not be read');
    });
    if (heldBack === undefined) return false;
    const { changes, parked, applied } = await documents.fold(heldBack.events, true);
    const parkedAgain = parked[0] ?? heldBack.undecodable;
    // Nothing has changed: the list in Redis stays as it is.
    if (parkedAgain?.revision === stream.revision) return false;
    const stillParked = parkedAgain === undefined ? [] : [parkedAgain];
    const folded = { changes, parked: stillParked, unparked: [stream.streamName], applied };
    await this.#commit([{ documents, upTo, folded }]);
    return parkedAgain === undefined;
  }

  /** One atomic act. */
  async #commit(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0) return;
    const prepared = steps.map((step) => ({
      ...step,
      section: step.documents.prepare(step.upTo, step.folded),
    }));
    const sections = prepared.map(({ section }) => section);
    if ((await applyBatch(this.parts.redis, sections)) !== 'applied') {
      projectorMetrics.fenced.inc();
      throw this.#goneAhead();
    }
    projectorMetrics.batches.inc();
    for (const { documents, section, folded } of prepared) {
      documents.applied(section, folded);
      for (const stream of folded?.parked ?? []) {
        const details = { ...stream, readModel: documents.projection.name };
        this.parts.log.error(details, 'a stream is parked: its read model stays as it is');
      }
    }
  }

  /** Another writer went ahead, or Redis lost something. */
  #goneAhead(): Fault {
    const message = `partition ${this.number} was taken over, or thrown back with Redis`;
    return new Fault('conflict', message, { retryable: true });
  }
}

/** @throws Fault. */
async function foldPlan(
  documents: PartitionDocuments,
  plan: BatchPlan | undefined,
  upTo: Position,
): Promise<Step> {
  if (plan === undefined || plan.events.length + plan.parked.length === 0)
    return { documents, upTo };
  const { changes, parked, applied } = await documents.fold(plan.events);
  // A stream is parked at its first event that cannot be applied, and the fold's come first.
  const others = plan.parked.filter(
    ({ streamName }) => !parked.some((stream) => stream.streamName === streamName),
  );
  const folded = { changes, parked: [...parked, ...others], unparked: [], applied };
  return { documents, upTo, folded };
}
