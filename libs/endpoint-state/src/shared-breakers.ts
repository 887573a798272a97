import { loadScript, type Redis, redisReply } from '#redis';
import { endpointKeys } from './keys.js';
import {
  FAILURES_KEPT_MS,
  FAILURES_THAT_OPEN,
  OPEN_AT_FIRST_MS,
  OPEN_AT_MOST_MS,
  OPEN_JITTER,
  PROBE_LASTS_MS,
} from './limits.js';

const noteFailure = loadScript(new URL('./lua/note-failure-1.lua', import.meta.url));
const noteSuccess = loadScript(new URL('./lua/note-success-1.lua', import.meta.url));
const takeProbe = loadScript(new URL('./lua/take-probe-1.lua', import.meta.url));

/** An attempt at an endpoint that failed. Times are of the worker's clock, in milliseconds. */
export interface FailedAttempt {
  readonly begunAtMs: number;
  readonly nowMs: number;
  /** What the receiver asked for; 0 for nothing. */
  readonly retryAfterMs: number;
}

/** What is known of an endpoint that fails. */
export interface Failing {
  /** The first failure after the last success, over all partitions. */
  readonly sinceMs: number;
  readonly failures: number;
  /** No attempt is made before; 0 where the breaker is closed. */
  readonly openUntilMs: number;
}

/** Whether an endpoint may be tried whose breaker has been open. */
export type Probe =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly untilMs: number }
  /** One attempt may be made until then, and no other process makes one. */
  | { readonly kind: 'probe'; readonly untilMs: number }
  /** Another process makes it. */
  | { readonly kind: 'probed'; readonly untilMs: number };

/** The fields that are there of one that is, or was, open. */
const OF_OPEN_BREAKER = ['opened', 'open-until', 'asked-until', 'probed-by', 'probed-until'];

/**
 * The circuit breakers of endpoints, which all processes share (decision 0123). Nothing is written about an endpoint
 * that takes what it is sent. Calls throw Fault of Redis; a loss of Redis closes all breakers.
 */
export class SharedBreakers {
  constructor(
    private readonly redis: Redis,
    private readonly layoutId: string,
    /** For how long one is open at most: shorter where people wait for what is behind it. */
    private readonly openAtMostMs: number = OPEN_AT_MOST_MS,
  ) {}

  async noteFailure(endpointId: string, attempt: FailedAttempt): Promise<Failing> {
    const { begunAtMs, nowMs, retryAfterMs } = attempt;
    const asked = Math.min(retryAfterMs, this.openAtMostMs);
    const factor = 1 - OPEN_JITTER + 2 * OPEN_JITTER * Math.random();
    const times = [FAILURES_THAT_OPEN, OPEN_AT_FIRST_MS, this.openAtMostMs, factor];
    const args = [nowMs, begunAtMs, asked, ...times, FAILURES_KEPT_MS];
    const reply = await noteFailure(this.redis, [this.#key(endpointId)], args);
    // The script's header says what it answers.
    const [since, failures, openUntil] = reply as [string, number, number];
    return { sinceMs: Number(since), failures, openUntilMs: openUntil };
  }

  /** @returns until when the receiver asked for a pause; 0 where it takes messages. */
  async noteSuccess(endpointId: string, nowMs: number): Promise<number> {
    return Number(await noteSuccess(this.redis, [this.#key(endpointId)], [nowMs]));
  }

  /** Closes it. How often the endpoint has failed, and since when, is known all the same (rules/webhooks 6). */
  async close(endpointId: string): Promise<void> {
    await redisReply(this.redis.hdel(this.#key(endpointId), ...OF_OPEN_BREAKER));
  }

  /** @param holder asks for it; one that asks again while the attempt is its own is given it again. */
  async takeProbe(endpointId: string, holder: string, nowMs: number): Promise<Probe> {
    const args = [nowMs, holder, PROBE_LASTS_MS];
    const reply = await takeProbe(this.redis, [this.#key(endpointId)], args);
    // The script's header says what it answers.
    const [kind, untilMs] = reply as [Probe['kind'], number];
    return kind === 'closed' ? { kind } : { kind, untilMs };
  }

  #key(endpointId: string): string {
    return endpointKeys(this.layoutId, endpointId).breaker;
  }
}
