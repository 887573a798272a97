import { fromMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import type { BreakerState } from '#platform';
import { type Redis, redisReply } from '#redis';
import { endpointKeys } from './keys.js';

/** What all processes know of an endpoint (rules/webhooks 6), as it is shown to operators. */
export interface EndpointState {
  readonly breaker: BreakerState;
  /** Attempts that failed since the last success. */
  readonly failures: number;
  /** The first of them; null where there are none. */
  readonly failingSince: Instant | null;
  /** No attempt is made before; null where the breaker is not open. */
  readonly openUntil: Instant | null;
}

/** @param nowMs by the wall clock. @throws Fault of Redis. */
export async function readEndpointState(
  redis: Redis,
  layoutId: string,
  endpointId: string,
  nowMs: number,
): Promise<EndpointState> {
  const { failures: key } = endpointKeys(layoutId, endpointId);
  const fields = redis.hmget(key, 'failures', 'failing-since', 'open-until');
  const [failures, since, openUntil] = await redisReply(fields);
  const state = readBreaker(openUntil ?? null, nowMs);
  return {
    breaker: state,
    failures: Number(failures ?? 0),
    failingSince: toInstant(since ?? null),
    openUntil: state === 'open' ? toInstant(openUntil ?? null) : null,
  };
}

function readBreaker(openUntil: string | null, nowMs: number): BreakerState {
  if (openUntil === null) return 'closed';
  return nowMs < Number(openUntil) ? 'open' : 'half_open';
}

function toInstant(milliseconds: string | null): Instant | null {
  return milliseconds === null ? null : fromMilliseconds(Number(milliseconds));
}
