import type { Position } from '#domain/event';
import { Fault, newUuid } from '#platform';
import { type Redis, redisReply } from '#redis';
import { applyBatch, type CommitOutcome, type Section, type SectionWrites } from './apply-batch.js';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import type { Fence } from '../leases/leases.js';

/**
 * A checkpoint in Redis as its writer knows it. The writer's text is compared with the stored one at every step, so that
 * a Redis that lost its memory, wholly or its last second, is noticed before it does harm. The projector's partitions
 * and the worker's feed both stand on it.
 */
export class FencedCheckpoint {
  #stored = '';
  #current: Checkpoint | undefined;

  /** @param fence of the lease under which this writer works; it lies on the same slot as the key. */
  constructor(
    protected readonly redis: Redis,
    protected readonly key: string,
    protected readonly fence: Fence,
  ) {}

  /** As it was stored when this writer last looked; empty for none. */
  get stored(): string {
    return this.#stored;
  }

  get current(): Checkpoint | undefined {
    return this.#current;
  }

  get position(): Position {
    return this.#current?.position ?? NOTHING;
  }

  /** Takes the stored one for known. @throws Fault of Redis. */
  async load(): Promise<Checkpoint | undefined> {
    this.know((await redisReply(this.redis.get(this.key))) ?? '');
    return this.#current;
  }

  /**
   * Begins at a position, unless another writer has begun already. @returns the checkpoint that holds. @throws Fault.
   */
  async begin(position: Position, layoutId: string): Promise<Checkpoint> {
    const begun: Checkpoint = { position, layoutId, epoch: newMark() };
    if ((await this.commit(begun)) === 'applied') return begun;
    const checkpoint = await this.load();
    if (checkpoint !== undefined) return checkpoint;
    throw new Fault('conflict', `${this.key} could not be begun`, { retryable: true });
  }

  /** Writes the next checkpoint. @throws Fault. */
  async commit(next: Checkpoint | undefined): Promise<CommitOutcome> {
    const section = this.prepare(next);
    const outcome = await applyBatch(this.redis, [section]);
    if (outcome === 'applied') this.applied(section);
    return outcome;
  }

  /** The move to the next checkpoint, with the writes that belong to it, as a part of a batch. */
  prepare(next: Checkpoint | undefined, writes?: SectionWrites): Section {
    const to = next === undefined ? '' : encodeCheckpoint(next);
    const checkpoint = { key: this.key, from: this.#stored, to, next };
    return { fence: this.fence, checkpoint, ...(writes && { writes }) };
  }

  /** The batch with this part was applied. */
  applied({ checkpoint }: Section): void {
    this.#stored = checkpoint.to;
    this.#current = checkpoint.next;
  }

  /** Takes this for the stored text. */
  protected know(stored: string): void {
    this.#stored = stored;
    this.#current = decodeCheckpoint(stored);
  }
}

/** A mark that tells two beginnings, or two changes, apart; short, since it stands in the key of every list. */
export function newMark(): string {
  return newUuid().slice(0, 8);
}
