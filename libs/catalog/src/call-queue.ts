import { CALLS_AT_ONCE, CALLS_WAITING, WAIT_LIMIT_MS } from './limits.js';

/** The calls of one app. */
interface AppCalls {
  underWay: number;
  /** The starters of waiting calls, in their order: each takes the place of a call that has ended. */
  readonly waiting: (() => void)[];
}

/** How many calls there are at once, of each app by itself: a slow catalog stops no other app (rules/catalog 4). */
export class CallQueue {
  /** Of apps with calls under way. */
  readonly #apps = new Map<string, AppCalls>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined where the call was not made, since too many are. @throws as `call` does. */
  async run<Result>(appId: string, call: () => Promise<Result>): Promise<Result | undefined> {
    const calls = this.#apps.get(appId) ?? this.#open(appId);
    const isFree = calls.underWay < CALLS_AT_ONCE;
    if (!isFree && calls.waiting.length >= CALLS_WAITING) return undefined;
    if (isFree) calls.underWay += 1;
    try {
      return isFree || (await this.#isInTime(calls)) ? await call() : undefined;
    } finally {
      this.#end(appId, calls);
    }
  }

  #open(appId: string): AppCalls {
    const calls = { underWay: 0, waiting: [] };
    this.#apps.set(appId, calls);
    return calls;
  }

  /** Waits for the place of another call. @returns whether it came soon enough. */
  async #isInTime({ waiting }: AppCalls): Promise<boolean> {
    const askedAtMs = this.nowMs();
    await new Promise<void>((begin) => waiting.push(begin));
    return this.nowMs() - askedAtMs <= WAIT_LIMIT_MS;
  }

  #end(appId: string, calls: AppCalls): void {
    const begin = calls.waiting.shift();
    if (begin !== undefined) {
      begin();
      return;
    }
    calls.underWay -= 1;
    if (calls.underWay === 0) this.#apps.delete(appId);
  }
}
