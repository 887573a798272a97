import { Inject, Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { ApiError, type Caller } from '#nest';
import { metrics } from '#platform';
import type { ApiConfig } from '../config.js';
import { CONFIG } from '../tokens.js';
import { RequestRate } from './request-rate.js';

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
