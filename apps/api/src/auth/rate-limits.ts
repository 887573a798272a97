import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { ApiError, type Caller } from '#nest';
import { metrics, upTo } from '#platform';
import type { ApiConfig } from '../config.js';
import { CONFIG } from '../tokens.js';

const refused = new Counter({
  name: 'subledger_rate_limited_requests_total',
  help: 'Requests that were refused with 429, by whose limit was reached: of the app, or of the player.',
  labelNames: ['limit'] as const,
  registers: [metrics],
});

/** How often apps and their players may ask this process (rules/api 19); operators are not counted. */
@Injectable()
export class RateLimits {
  readonly #ofApps: RequestRate | undefined;
  readonly #ofPlayers: RequestRate | undefined;

  constructor(
    @Inject(CONFIG)
    {
      requestsPerSecond: ofApp,
      playerRequestsPerSecond: ofPlayer,
    }: Pick<ApiConfig, 'requestsPerSecond' | 'playerRequestsPerSecond'>,
  ) {
    this.#ofApps = ofApp === undefined ? undefined : new RequestRate(ofApp);
    this.#ofPlayers = ofPlayer === undefined ? undefined : new RequestRate(ofPlayer);
  }

  /**
   * Counts a request whose credentials are good, unless it is too much: a refused request does not count, so that a
   * player who goes on asking takes nothing of the app's.
   *
   * @throws ApiError 8.
   */
  admit(caller: Caller): void {
    if (caller.kind === 'operator') return;
    const { appId } = caller;
    const isBounded = caller.kind === 'player' && this.#ofPlayers !== undefined;
    const player = isBounded ? `${appId} ${caller.player}` : undefined;
    if (player !== undefined) requireRoom(this.#ofPlayers, player, 'player');
    requireRoom(this.#ofApps, appId, 'app');
    if (player !== undefined) this.#ofPlayers?.take(player);
    this.#ofApps?.take(appId);
  }
}

function requireRoom(rate: RequestRate | undefined, key: string, limit: 'app' | 'player'): void {
  const retryAfterMs = rate?.waitMs(key) ?? 0;
  if (retryAfterMs === 0) return;
  refused.inc({ limit });
  throw new ApiError('RESOURCE_EXHAUSTED', {
    reason: 'RATE_LIMITED',
    message: `This ${limit} asks too often. Try again later.`,
    metadata: { limit },
    retryAfterMs,
  });
}

/** How many seconds' worth of requests may come at once. */
const BURST_MS = 2_000;
/** Callers: one that was idle for two seconds has all of its room, so that forgetting it changes nothing. */
const KEPT = 50_000;
/** Sums of fractions are off by less than this. */
const ROUNDING_MS = 1e-6;

/**
 * How many requests a second each of many may make, over time, by the generic cell rate algorithm (ITU-T I.371): of
 * each, one number is kept.
 */
export class RequestRate {
  /** Until when the requests so far last, at the rate that is allowed. */
  readonly #paidUntilMs = new LRUCache<string, number>(upTo(KEPT));
  readonly #stepMs: number;

  /** @param now milliseconds of any beginning. */
  constructor(
    perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#stepMs = 1000 / perSecond;
  }

  /** How long it takes until there is room for one more; 0 where there is. */
  waitMs(key: string): number {
    const now = this.now();
    const aheadMs = this.#paidUntil(key, now) + this.#stepMs - now - BURST_MS;
    return aheadMs <= ROUNDING_MS ? 0 : aheadMs;
  }

  /** Counts one, which there is room for. */
  take(key: string): void {
    this.#paidUntilMs.set(key, this.#paidUntil(key, this.now()) + this.#stepMs);
  }

  #paidUntil(key: string, now: number): number {
    return Math.max(this.#paidUntilMs.get(key) ?? now, now);
  }
}
