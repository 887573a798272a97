import { setTimeout as sleep } from 'node:timers/promises';

/** By which the gap is kept. */
interface Time {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}
const TIME: Time = { now: () => performance.now(), sleep };

/**
 * A look at something that others change, shared by all who ask for it in time: everyone is served by a look that began
 * after they asked, since one that is under way may have missed what came just before. So there is one look at a time
 * at most, however many ask, and none sooner than a gap after the last one began: who asks alone never waits for it, and
 * of the many who ask under load more share one look.
 */
export class NextLook {
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #begunAtMs = -Infinity;

  constructor(
    private readonly look: () => Promise<void>,
    private readonly gapMs = 0,
    private readonly time = TIME,
  ) {}

  /** Resolves after a look that began after this call. @throws what the look throws. */
  next(): Promise<void> {
    this.#next ??= this.#lookAfter(this.#underWay);
    return this.#next;
  }

  async #lookAfter(other: Promise<void>): Promise<void> {
    // What it throws is for those who asked for it.
    await other.catch(() => undefined);
    const waitMs = this.#begunAtMs + this.gapMs - this.time.now();
    if (waitMs > 0) await this.time.sleep(waitMs);
    this.#begunAtMs = this.time.now();
    // Who comes from here on is served by another one.
    this.#underWay = this.#next ?? other;
    this.#next = undefined;
    await this.look();
  }
}
