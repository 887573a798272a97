import pLimit, { type LimitFunction } from 'p-limit';
import { CALLS_AT_ONCE, CALLS_WAITING, WAIT_LIMIT_MS } from './limits.js';

/** How many calls there are at once, of each app by itself: a slow catalog stops no other app (rules/catalog 4). */
export class CallQueue {
  /** Of apps with calls under way. */
  readonly #apps = new Map<string, LimitFunction>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined where the call was not made, since too many are. @throws as `call` does. */
  async run<Result>(appId: string, call: () => Promise<Result>): Promise<Result | undefined> {
    const calls = this.#apps.get(appId) ?? pLimit(CALLS_AT_ONCE);
    if (calls.activeCount + calls.pendingCount >= CALLS_AT_ONCE + CALLS_WAITING) return undefined;
    this.#apps.set(appId, calls);
    const askedAtMs = this.nowMs();
    const isInTime = () => this.nowMs() - askedAtMs <= WAIT_LIMIT_MS;
    try {
      return await calls(async () => (isInTime() ? call() : undefined));
    } finally {
      if (calls.activeCount + calls.pendingCount === 0) this.#apps.delete(appId);
    }
  }
}
