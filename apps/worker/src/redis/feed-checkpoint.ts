import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { Fault, newUuid } from '#platform';
import {
  type Checkpoint,
  type CommitOutcome,
  decodeCheckpoint,
  encodeCheckpoint,
  FencedCheckpoint,
  type Lease,
  NOTHING,
} from '#projection-engine';
import { loadScript, type Redis } from '#redis';
import type { WorkerKeys } from '#worker-state';
import { KEYS, LEASE, REDIS } from '../tokens.js';

const readCheckpoint = loadScript(new URL('./lua/read-checkpoint-1.lua', import.meta.url));
/** Moves a checkpoint of the partition, unless it has another holder or stands elsewhere. */
export const moveCheckpoint = loadScript(new URL('./lua/move-checkpoint-2.lua', import.meta.url));

/** The state of Redis at a moment. */
export interface Standing {
  readonly position: Position;
  /**
   * Another one after every loss: a Redis that was restored has a checkpoint of a new epoch, and one that started again
   * is another server, which may lack the last writes.
   */
  readonly identity: string;
}

/**
 * How far events are worked on, in the same Redis as the jobs that they gave rise to. It moves only where the server
 * that was there when it was loaded has been there all along. Another one, after a failover or a restart, may lack the
 * last acts of a batch, though the checkpoint stands where it stood; they are then done again (decision 0013).
 */
@Injectable()
export class FeedCheckpoint extends FencedCheckpoint {
  readonly #layoutId: string;
  #server = '';
  #reached: Position | undefined;
  #lastEventAt: Position = '';
  #isRecovering = false;

  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(KEYS) { checkpoint, layoutId }: WorkerKeys,
    @Inject(LEASE) { fence }: Lease,
  ) {
    super(redis, checkpoint, fence);
    this.#layoutId = layoutId;
  }

  /**
   * The position that Redis has reached for sure, unless it has lost something; undefined until the feed has found its
   * position, and so whether Redis has.
   */
  get reached(): Position | undefined {
    return this.#reached;
  }

  /** The same for the feed itself, which may act while it restores the losses of Redis. */
  get reachedForFeed(): Position {
    return this.#isRecovering ? NOTHING : (this.#reached ?? NOTHING);
  }

  /** Looks up the position of Redis; its losses are restored until `confirm`. @throws Fault of Redis. */
  async recover(): Promise<Checkpoint | undefined> {
    this.#isRecovering = true;
    return this.load();
  }

  /** Says that Redis holds all that belongs to the checkpoint as it was last read or written. */
  confirm(): void {
    this.#isRecovering = false;
    this.#reached = this.position;
  }

  /**
   * The present state of Redis; undefined where it knows nothing. The state known here stays. @throws Fault of Redis.
   */
  async peek(): Promise<Standing | undefined> {
    const { stored, server } = await this.#read();
    const { position = NOTHING, epoch = '' } = decodeCheckpoint(stored) ?? {};
    return position === NOTHING ? undefined : { position, identity: `${epoch} ${server}` };
  }

  /** Whether Redis stands before its earlier position. @throws Fault of Redis. */
  async isLost(): Promise<boolean> {
    if (this.#reached === undefined) return false;
    return ((await this.peek())?.position ?? NOTHING) < this.#reached;
  }

  override async load(): Promise<Checkpoint | undefined> {
    const { stored, server } = await this.#read();
    this.know(stored);
    this.#server = server;
    return this.current;
  }

  override async commit(next: Checkpoint | undefined): Promise<CommitOutcome> {
    const stored = next === undefined ? '' : encodeCheckpoint(next);
    const keys = [this.fence.key, this.key];
    const args = [this.fence.token, this.stored, stored, this.#server];
    // The script's header describes its answer.
    const outcome = (await moveCheckpoint(this.redis, keys, args)) as 'applied' | 'fenced';
    if (outcome === 'applied') this.know(stored);
    return outcome;
  }

  /**
   * Looks whether it stands where it was left, or further, and takes that for known.
   *
   * @throws Fault `conflict` when it was lost, thrown back or begun anew, or another server keeps it.
   */
  async verify(): Promise<void> {
    const { current: known } = this;
    const server = this.#server;
    const found = await this.load();
    const isKept =
      found !== undefined && found.epoch === known?.epoch && found.position >= known.position;
    if (!isKept) throw this.#conflict('was lost, cleared or thrown back');
    if (this.#server === server) return;
    // A batch that is under way was begun with the former one, and must not end with this one.
    this.#server = server;
    throw this.#conflict('is kept by another server now, which may lack what was done last');
  }

  /** The last event that was worked on. A checkpoint is worth backing up only when there is a new one. */
  get lastEventAt(): Position {
    return this.#lastEventAt;
  }

  /**
   * Moves on to a position; one that is further is no obstacle.
   *
   * @param lastEventAt the last event up to there; left out where there is none of ours.
   * @throws Fault as `verify` does: start again from `load`.
   */
  async advance(to: Position, lastEventAt = this.#lastEventAt): Promise<void> {
    const { current, position } = this;
    const isBehind = current !== undefined && position < to;
    const hasMoved = isBehind && (await this.commit({ ...current, position: to })) === 'applied';
    if (!hasMoved) await this.verify();
    if (this.position < to) throw this.#conflict('could not be moved');
    this.#reached = this.position;
    this.#lastEventAt = lastEventAt;
  }

  /**
   * Stands at a position anew, in place of the one that `load` has found.
   *
   * @throws Fault `conflict` when it has changed since; of Redis.
   */
  async standAt(position: Position): Promise<Position> {
    const checkpoint = { position, layoutId: this.#layoutId, epoch: newUuid() };
    if ((await this.commit(checkpoint)) === 'applied') return position;
    throw this.#conflict('has changed while it was restored');
  }

  #conflict(why: string): Fault {
    return new Fault('conflict', `${this.key} ${why}`, { retryable: true });
  }

  async #read(): Promise<{ readonly stored: string; readonly server: string }> {
    // The script's header describes its answer.
    const reply = (await readCheckpoint(this.redis, [this.key], [])) as [string | null, string];
    return { stored: reply[0] ?? '', server: reply[1] };
  }
}
