import { fromMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import type { BreakerState } from '#platform';
import { loadScript, type Redis, redisReply } from '#redis';
import { endpointKeys } from './keys.js';
import { FAILURES_KEPT_MS, TOKEN_AWAY_MS } from './limits.js';

/** The known failures of an endpoint. */
export interface Failing {
  /** The first failure after the last success, over all partitions. By the worker's clock. */
  readonly sinceMs: number;
  readonly failures: number;
}

/** The shared knowledge of an endpoint (rules/webhooks 6), as it is shown to operators. */
export interface EndpointState {
  readonly breaker: BreakerState;
  /** Attempts that failed since the last success. */
  readonly failures: number;
  /** The first of them; null where there are none. */
  readonly failingSince: Instant | null;
  /** No attempt is made before; null where the breaker is not open. */
  readonly openUntil: Instant | null;
}

/**
 * The failures of endpoints over all partitions: how many in a row, since when, and until when the last partition to
 * say so makes no attempt (decision 0029). Nothing is written about an endpoint that takes its messages. Calls throw
 * Fault of Redis; a loss of Redis forgets all of it.
 */
export class EndpointFailures {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: { readonly layoutId: string },
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

  /** @param nowMs by the wall clock. */
  async read(endpointId: string, nowMs: number): Promise<EndpointState> {
    const key = this.#key(endpointId);
    const fields = this.redis.hmget(key, 'failures', 'failing-since', 'open-until');
    const [failures, since = null, openUntil = null] = await redisReply(fields);
    const breaker = readBreaker(openUntil, nowMs);
    return {
      breaker,
      failures: Number(failures ?? 0),
      failingSince: toInstant(since),
      openUntil: breaker === 'open' ? toInstant(openUntil) : null,
    };
  }

  #key(endpointId: string): string {
    return endpointKeys(this.ledger.layoutId, endpointId).failures;
  }
}

function readBreaker(openUntil: string | null, nowMs: number): BreakerState {
  if (openUntil === null) return 'closed';
  return nowMs < Number(openUntil) ? 'open' : 'half_open';
}

function toInstant(milliseconds: string | null): Instant | null {
  return milliseconds === null ? null : fromMilliseconds(Number(milliseconds));
}

const takeToken = loadScript(new URL('./lua/take-token-1.lua', import.meta.url));

/**
 * The tokens of endpoints that are to get so many attempts in a second at most, over all processes (rules/webhooks
 * 6). They may be lost with Redis: the second begins anew.
 */
export class SharedTokens {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: { readonly layoutId: string },
  ) {}

  /** @returns 0 where an attempt may begin now, else in how many milliseconds to ask again. @throws Fault of Redis. */
  async take(endpointId: string, perSecond: number): Promise<number> {
    const { tokens } = endpointKeys(this.ledger.layoutId, endpointId);
    return Number(await takeToken(this.redis, [tokens], [perSecond, TOKEN_AWAY_MS]));
  }
}
