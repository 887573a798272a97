import { LRUCache } from 'lru-cache';
import { SharedBreakers } from '#endpoint-state';
import { type Clock, type Log, newUuid, wallClock, warnSeldom, upTo } from '#platform';
import type { Redis } from '#redis';
import { APPS_REMEMBERED, BREAKER_ASKED_AGAIN_MS, OPEN_AT_MOST_MS } from './limits.js';

/** The breakers that all processes share. */
type Shared = Pick<SharedBreakers, 'noteFailure' | 'noteSuccess' | 'takeProbe'>;

/**
 * Of each app whether its catalog may be called (rules/catalog 4): where calls have failed in a row, none is made
 * for a while, and then one. A catalog that answers costs no question to Redis. Where Redis is away, calls are made.
 */
export class CatalogBreakers {
  readonly #holder = newUuid();
  /** Those that were open when this process last heard of them, and when it may ask for a call. */
  readonly #askAtMs = new LRUCache<string, number>(upTo(APPS_REMEMBERED));
  /** Of which Redis may know failures that a success ends. */
  readonly #failed = new LRUCache<string, true>(upTo(APPS_REMEMBERED));

  constructor(
    private readonly shared: Shared,
    private readonly log: Log,
    private readonly clock: Clock = wallClock,
  ) {}

  /** As all processes of a ledger share them; they are open for a shorter time than those of endpoints. */
  static over(redis: Redis, layoutId: string, log: Log): CatalogBreakers {
    return new CatalogBreakers(new SharedBreakers(redis, layoutId, OPEN_AT_MOST_MS), log);
  }

  /** Whether a call may be made now; a call that may is followed by `succeeded` or `failed`. Never throws. */
  async admits(appId: string): Promise<boolean> {
    const askAtMs = this.#askAtMs.get(appId);
    if (askAtMs === undefined) return true;
    const nowMs = this.#nowMs();
    if (nowMs < askAtMs) return false;
    // One asks, and the others wait for what it hears.
    this.#askAtMs.set(appId, nowMs + BREAKER_ASKED_AGAIN_MS);
    try {
      const probe = await this.shared.takeProbe(breakerKey(appId), this.#holder, nowMs);
      if (probe.kind === 'open') this.#close(appId, probe.untilMs);
      if (probe.kind === 'closed') this.#askAtMs.delete(appId);
      return probe.kind === 'closed' || probe.kind === 'probe';
    } catch (error) {
      warnSeldom(this.log, error, 'the breaker of a catalog could not be asked for');
      return true;
    }
  }

  /** A call got no answer in time, or one that says that the backend is away. Never throws. */
  async failed(appId: string, tookMs: number): Promise<void> {
    this.#failed.set(appId, true);
    const nowMs = this.#nowMs();
    try {
      const attempt = { nowMs, begunAtMs: nowMs - tookMs, retryAfterMs: 0 };
      const { openUntilMs } = await this.shared.noteFailure(breakerKey(appId), attempt);
      if (openUntilMs > nowMs) this.#close(appId, openUntilMs);
      else this.#askAtMs.delete(appId);
    } catch (error) {
      warnSeldom(this.log, error, 'a failure of a catalog could not be counted');
    }
  }

  /** A call was answered, whatever is wrong with the answer. Never throws. */
  async succeeded(appId: string): Promise<void> {
    const isKnown = this.#failed.delete(appId);
    if (!this.#askAtMs.delete(appId) && !isKnown) return;
    try {
      await this.shared.noteSuccess(breakerKey(appId), this.#nowMs());
    } catch (error) {
      warnSeldom(this.log, error, 'a success of a catalog could not be noted');
      // The next one says it again.
      this.#failed.set(appId, true);
    }
  }

  /** The clocks of two machines may differ: it is asked for again in time, whatever the other one wrote. */
  #close(appId: string, untilMs: number): void {
    this.#askAtMs.set(appId, Math.min(untilMs, this.#nowMs() + 2 * OPEN_AT_MOST_MS));
  }

  #nowMs(): number {
    return Date.parse(this.clock.now());
  }
}

/** As Redis knows it, beside the breakers of endpoints. */
function breakerKey(appId: string): string {
  return `catalog_${appId}`;
}
