import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ApiError } from '#nest';
import { upTo } from '#platform';

/** People do not click faster; each click may be an event for good. */
const PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const PLAYERS_REMEMBERED = 20_000;

/** How often a player may change something, or be seen to look at something, in a process (rules/webshop 2). */
@Injectable()
export class VisitLimits {
  readonly #counts = new LRUCache<string, { count: number }>({
    ...upTo(PLAYERS_REMEMBERED),
    ttl: MINUTE_MS,
  });

  /** Whether there is room for one more in this minute. */
  take(player: string): boolean {
    const counted = this.#counts.get(player);
    if (counted === undefined) this.#counts.set(player, { count: 1 });
    else counted.count += 1;
    return (counted?.count ?? 1) <= PER_MINUTE;
  }

  /** @throws ApiError 8 TOO_MANY_REQUESTS. */
  require(player: string): void {
    if (this.take(player)) return;
    throw new ApiError('RESOURCE_EXHAUSTED', {
      reason: 'TOO_MANY_REQUESTS',
      message: 'That were too many changes in a minute. Try again in a moment.',
      retryAfterMs: MINUTE_MS / 2,
    });
  }
}
