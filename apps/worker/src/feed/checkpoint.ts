import type { Redis } from 'ioredis';
import type { Position } from '#domain/event';
import { START } from '#event-store';
import { Fault, newUuid } from '#platform';
import { ofRedis } from '../redis/connect.js';
import type { WorkerKeys } from '../redis/keys.js';
import { loadScript } from '../redis/script.js';

const begin = loadScript('begin-checkpoint-1.lua');
const advance = loadScript('advance-checkpoint-1.lua');

/**
 * How far events are worked off, in the same Redis as the jobs that they gave rise to: they survive or
 * vanish together. What one worker knows of it is compared at every step, so that a Redis that lost
 * its memory, wholly or its last second, is noticed before it does harm.
 */
export class Checkpoint {
  readonly #redis: Redis;
  readonly #key: string;
  #epoch = '';
  #written: Position = START;

  constructor(redis: Redis, keys: WorkerKeys) {
    this.#redis = redis;
    this.#key = keys.checkpoint;
  }

  /** Where to resume; undefined when Redis knows nothing. @throws Fault of Redis. */
  async load(): Promise<Position | undefined> {
    const { epoch, position } = await ofRedis(this.#redis.hgetall(this.#key));
    if (epoch === undefined || position === undefined) return undefined;
    this.#epoch = epoch;
    this.#written = position;
    return position;
  }

  /** Begins anew at a position; another worker may have been faster, then with its. */
  async begin(position: Position): Promise<Position> {
    const held = await begin(this.#redis, [this.#key], [newUuid(), position]);
    // The script's header says what it answers.
    const [epoch, at] = held as [string, string];
    this.#epoch = epoch;
    this.#written = at;
    return at;
  }

  /** @throws Fault `conflict` when Redis has lost what was written: start again from `load`. */
  async advance(to: Position): Promise<void> {
    const args = [this.#epoch, this.#written, to];
    if ((await advance(this.#redis, [this.#key], args)) !== 1) {
      throw new Fault('conflict', 'Redis has lost the checkpoint of the reactor', {
        retryable: true,
      });
    }
    this.#written = to;
  }

  /** Whether Redis still has what was written. @throws Fault of Redis. */
  async isKept(): Promise<boolean> {
    const args = [this.#epoch, this.#written, this.#written];
    return (await advance(this.#redis, [this.#key], args)) === 1;
  }
}
