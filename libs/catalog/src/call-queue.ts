import pLimit, { type LimitFunction } from 'p-limit';
import { CALLS_AT_ONCE, CALLS_WAITING, WAIT_LIMIT_MS } from './limits.js';

/** How many calls there are at once, of each app by itself: a slow catalog stops no other app (rules/catalog 4). */
export class CallQueue {
  /** Of apps with calls under way. */
  readonly #limits = new Map<string, LimitFunction>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined where the call was not made, since too many are. @throws as `call` does. */
  async run<Result>(appId: string, call: () => Promise<Result>): Promise<Result | undefined> {
    const limit = this.#limits.get(appId) ?? pLimit(CALLS_AT_ONCE);
    if (limit.pendingCount >= CALLS_WAITING) return undefined;
    this.#limits.set(appId, limit);
    const askedAtMs = this.nowMs();
    try {
      return await limit(() => {
        const isLate = this.nowMs() - askedAtMs > WAIT_LIMIT_MS;
        return isLate ? Promise.resolve(undefined) : call();
      });
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(appId);
    }
  }
}
