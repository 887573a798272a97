import type { Position } from '#domain/event';
import { Fault, newUuid } from '#platform';
import type { IndexEntry } from '#projections';
import { loadScript, type Redis, redisReply } from '#redis';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import type { Fence } from './leases/leases.js';
import { FENCED_ATTEMPTS } from './limits.js';
import type { ParkedStream } from './parked-streams.js';

/**
 * `fenced`: another process holds the partition, or another writer went ahead; `outdated`: a document was
 * folded from an old one.
 */
export type CommitOutcome = 'applied' | 'fenced' | 'outdated';

/** What changes together with the checkpoint. */
export interface BatchWrites {
  /** Documents as they are stored, by key. */
  readonly documents: readonly { readonly key: string; readonly stored: string }[];
  readonly lists: readonly ListChange[];
  readonly parked: readonly ParkedStream[];
}

interface ListChange {
  readonly act: 'add' | 'remove';
  readonly key: string;
  readonly entry: IndexEntry;
}

/** Both lie in one slot of a Redis Cluster, as does whatever is written with them. */
interface CheckpointKeys {
  readonly checkpoint: string;
  readonly parked: string;
}

const NO_WRITES: BatchWrites = { documents: [], lists: [], parked: [] };
const applyBatch = loadScript(new URL('./lua/apply-batch-n.lua', import.meta.url));

/**
 * A checkpoint in Redis as one of its writers knows it. What the writer knows is compared with what is
 * there at every step, so that a Redis that lost its memory, wholly or its last second, is noticed
 * before it does harm. The projector's partitions and the worker's feed both stand on it.
 */
export class FencedCheckpoint {
  readonly #redis: Redis;
  readonly #keys: CheckpointKeys;
  readonly #fence: Fence;
  #stored = '';

  /** @param fence of the lease under which this writer works; it lies on the same slot as the keys. */
  constructor(redis: Redis, keys: CheckpointKeys, fence: Fence) {
    this.#redis = redis;
    this.#keys = keys;
    this.#fence = fence;
  }

  /** As it was stored when this writer last looked; empty for none. */
  get stored(): string {
    return this.#stored;
  }

  get current(): Checkpoint | undefined {
    return decodeCheckpoint(this.#stored);
  }

  get position(): Position {
    return this.current?.position ?? NOTHING;
  }

  /** Takes what is there for known. @throws Fault of Redis. */
  async load(): Promise<Checkpoint | undefined> {
    this.know(await this.#read());
    return this.current;
  }

  /** Begins at a position, unless another writer has begun already. @returns what holds. @throws Fault. */
  async begin(position: Position, layoutId: string): Promise<Checkpoint> {
    const begun: Checkpoint = { position, layoutId, epoch: newUuid(), phase: 'live' };
    if ((await this.commit(begun)) === 'applied') return begun;
    const checkpoint = await this.load();
    if (checkpoint !== undefined) return checkpoint;
    throw new Fault('conflict', `${this.#keys.checkpoint} could not be begun`, { retryable: true });
  }

  /** Writes the next checkpoint, and what belongs to it, in one atomic act. @throws Fault. */
  async commit(
    next: Checkpoint | undefined,
    { documents, lists, parked }: BatchWrites = NO_WRITES,
  ): Promise<CommitOutcome> {
    const stored = next === undefined ? '' : encodeCheckpoint(next);
    const keys = [
      this.#keys.checkpoint,
      this.#keys.parked,
      this.#fence.key,
      ...documents.map(({ key }) => key),
      ...lists.map(({ key }) => key),
    ];
    const args = [
      this.#fence.token,
      this.#stored,
      stored,
      String(documents.length),
      ...documents.map((document) => document.stored),
      ...lists.flatMap(({ act, entry }) => [act, String(entry.score), entry.member]),
      ...parked.flatMap((stream) => [stream.streamName, JSON.stringify(stream)]),
    ];
    // The script's header says what it answers.
    const outcome = (await applyBatch(this.#redis, keys, args)) as CommitOutcome;
    if (outcome === 'applied') this.know(stored);
    return outcome;
  }

  /** Takes this for what is stored. */
  protected know(stored: string): void {
    this.#stored = stored;
  }

  /**
   * Moves on to a position, for writers that all do the same work: one that is further is no obstacle.
   *
   * @throws Fault `conflict` when Redis has lost what was written: start again from `load`.
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
      found !== undefined &&
      found.epoch === known?.epoch &&
      found.phase !== 'clearing' &&
      found.position >= known.position;
    if (!isKept) throw this.#thrownBack();
  }

  /** Whether it still stands exactly where it was left. */
  async isUnchanged(): Promise<boolean> {
    return (await this.#read()) === this.#stored;
  }

  async #read(): Promise<string> {
    return (await redisReply(this.#redis.get(this.#keys.checkpoint))) ?? '';
  }

  #thrownBack(): Fault {
    const message = `${this.#keys.checkpoint} was lost, cleared or thrown back`;
    return new Fault('conflict', message, { retryable: true });
  }
}
