import type { Position } from '#domain/event';
import { Fault, newUuid } from '#platform';
import { type Redis, redisReply } from '#redis';
import { applyBatch, type CommitOutcome, type Section, type SectionWrites } from './apply-batch.js';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import type { Fence } from '../leases/leases.js';
import { FENCED_ATTEMPTS } from '../limits.js';

/**
 * A checkpoint in Redis as one of its writers knows it. The writer's text is compared with the stored one at every
 * step, so that a Redis that lost its memory, wholly or its last second, is noticed before it does harm. The
 * projector's partitions and the worker's feed both stand on it.
 */
export class FencedCheckpoint {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #fence: Fence;
  #stored = '';
  #current: Checkpoint | undefined;

  /** @param fence of the lease under which this writer works; it lies on the same slot as the key. */
  constructor(redis: Redis, key: string, fence: Fence) {
    this.#redis = redis;
    this.#key = key;
    this.#fence = fence;
  }

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
    this.know(await this.#read());
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
    throw new Fault('conflict', `${this.#key} could not be begun`, { retryable: true });
  }

  /** Writes the next checkpoint. @throws Fault. */
  async commit(next: Checkpoint | undefined): Promise<CommitOutcome> {
    const section = this.prepare(next);
    const outcome = await applyBatch(this.#redis, [section]);
    if (outcome === 'applied') this.applied(section);
    return outcome;
  }

  /** The move to the next checkpoint, with the writes that belong to it, as a part of a batch. */
  prepare(next: Checkpoint | undefined, writes?: SectionWrites): Section {
    const to = next === undefined ? '' : encodeCheckpoint(next);
    const checkpoint = { key: this.#key, from: this.#stored, to };
    return { fence: this.#fence, checkpoint, ...(writes && { writes }) };
  }

  /** The batch with this part was applied. */
  applied({ checkpoint }: Section): void {
    this.know(checkpoint.to);
  }

  /** Takes this for the stored text. */
  protected know(stored: string): void {
    this.#stored = stored;
    this.#current = decodeCheckpoint(stored);
  }

  /**
   * Moves on to a position, for writers that all do the same work: one that is further is no obstacle.
   *
   * @throws Fault `conflict` when Redis has lost the stored checkpoint: start again from `load`.
   */
  async advance(to: Position): Promise<void> {
    for (let attempt = 0; attempt < FENCED_ATTEMPTS; attempt += 1) {
      const checkpoint = this.current;
      if (checkpoint === undefined) throw this.#thrownBack();
      if (checkpoint.position >= to) return this.verify();
      if ((await this.commit({ ...checkpoint, position: to })) === 'applied') return;
      await this.verify();
    }
    throw new Fault('conflict', 'other writers keep going ahead', { retryable: true });
  }

  /**
   * Looks whether it stands where it was left, or further, and takes that for known.
   *
   * @throws Fault `conflict` when it was lost, thrown back or begun anew.
   */
  async verify(): Promise<void> {
    const known = this.current;
    const found = await this.load();
    const isKept =
      found !== undefined && found.epoch === known?.epoch && found.position >= known.position;
    if (!isKept) throw this.#thrownBack();
  }

  async #read(): Promise<string> {
    return (await redisReply(this.#redis.get(this.#key))) ?? '';
  }

  #thrownBack(): Fault {
    const message = `${this.#key} was lost, cleared or thrown back`;
    return new Fault('conflict', message, { retryable: true });
  }
}

/** A mark that tells two beginnings, or two changes, apart; short, since it stands in the key of every list. */
export function newMark(): string {
  return newUuid().slice(0, 8);
}
