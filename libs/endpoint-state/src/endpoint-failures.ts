import { type Redis, redisReply } from '#redis';
import { endpointKeys } from './keys.js';
import { FAILURES_KEPT_MS } from './limits.js';

/** What is known of an endpoint that fails. */
export interface Failing {
  /** The first failure after the last success, over all partitions. By the worker's clock. */
  readonly sinceMs: number;
  readonly failures: number;
}

/**
 * The failures of endpoints over all partitions: how many in a row, since when, and until when the last partition to
 * say so makes no attempt (decision 0029). Nothing is written about an endpoint that takes what it is sent. Calls throw
 * Fault of Redis; a loss of Redis forgets all of it.
 */
export class EndpointFailures {
  constructor(
    private readonly redis: Redis,
    private readonly layoutId: string,
  ) {}

  async noteFailure(endpointId: string, nowMs: number, openUntilMs: number): Promise<Failing> {
    const key = this.#key(endpointId);
    const act = this.redis.multi().hincrby(key, 'failures', 1).hsetnx(key, 'failing-since', nowMs);
    if (openUntilMs > 0) act.hset(key, 'open-until', openUntilMs);
    const reply = act.pexpire(key, FAILURES_KEPT_MS).hget(key, 'failing-since').exec();
    const results = (await redisReply(reply)) ?? [];
    // They are in the order of the calls.
    const [failures, sinceMs] = [results[0]?.[1], results.at(-1)?.[1]];
    return { failures: Number(failures), sinceMs: Number(sinceMs) };
  }

  async noteSuccess(endpointId: string): Promise<void> {
    await redisReply(this.redis.del(this.#key(endpointId)));
  }

  /** It may be tried at once. How often it has failed, and since when, is known all the same (rules/webhooks 6). */
  async noteChange(endpointId: string): Promise<void> {
    await redisReply(this.redis.hdel(this.#key(endpointId), 'open-until'));
  }

  #key(endpointId: string): string {
    return endpointKeys(this.layoutId, endpointId).failures;
  }
}
