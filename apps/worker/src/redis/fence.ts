import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Fault, newUuid } from '#platform';
import { redisReply, type Script } from '#redis';
import { KEYS, REDIS } from '../tokens.js';
import type { WorkerKeys } from './keys.js';

/** Redis holds another token than this process: what it was about to do must not be done any more. */
export class Fenced extends Fault {
  constructor() {
    const message =
      'Redis was emptied, or the work belongs to another process: nothing was changed';
    super('conflict', message, { retryable: true });
  }
}

/**
 * The right to change what the worker keeps in Redis: a token that stands there under a key of ours, and
 * that every script compares with the one that its caller knows. A Redis that lost its memory has lost
 * the token too, so that what was begun before the loss changes nothing after it: no new event goes out
 * before the older ones that were in flight (rules/webhooks 8). All workers of a store share one token.
 */
@Injectable()
export class Fence {
  #token = '';

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: Pick<WorkerKeys, 'fence'>,
  ) {}

  /** Learns the token that is there, or sets a new one where there is none. @throws Fault of Redis. */
  async take(): Promise<void> {
    const { fence } = this.keys;
    await redisReply(this.redis.set(fence, newUuid(), 'NX'));
    this.#token = (await redisReply(this.redis.get(fence))) ?? '';
  }

  /**
   * Runs a script that takes the fence as its first key and the token as its first argument, and that
   * answers "fenced" where they differ.
   *
   * @throws Fenced; Fault of Redis.
   */
  async run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    if (this.#token === '') await this.take();
    const reply = await script(this.redis, [this.keys.fence, ...keys], [this.#token, ...args]);
    if (reply === 'fenced') throw new Fenced();
    return reply;
  }
}
