import { CHECKPOINTS_GATHERED_MS } from '../limits.js';

/**
 * When a filtered subscription sends a checkpoint (rules/protocol 6): each time it has considered
 * as many events as the interval, and at the end of a catch-up if there is something new to say.
 */
export class Checkpoints {
  #considered = 0;
  #lastConsidered: number | undefined;
  #lastSent: number | undefined;

  constructor(private readonly interval: number) {}

  /** Counts an event, wanted or not. Answers with the position of a checkpoint that is now due. */
  consider(position: number): number | undefined {
    this.#considered += 1;
    this.#lastConsidered = position;
    if (this.#considered < this.interval) return undefined;
    this.#considered = 0;
    return this.#send();
  }

  /** The checkpoint that ends a catch-up, unless the previous one said the same. */
  caughtUp(): number | undefined {
    return this.#lastConsidered === this.#lastSent ? undefined : this.#send();
  }

  #send(): number | undefined {
    this.#lastSent = this.#lastConsidered;
    return this.#lastSent;
  }
}

/**
 * The checkpoint that a live subscription owes its client. The first one after a pause is due at once; of those that
 * follow closely only the last is sent, for in a busy store with many subscriptions the news of others' events would be
 * most of the traffic.
 */
export class GatheredCheckpoint {
  #owed: number | undefined;
  #sentAtMs = -Infinity;

  /** @param position of a checkpoint that replaces the one that is owed. */
  owe(position: number | undefined): void {
    this.#owed = position ?? this.#owed;
  }

  /** An event was sent, which says how far the subscription is. */
  forget(): void {
    this.#owed = undefined;
  }

  /** The position to send now, if there is one. */
  take(nowMs: number): number | undefined {
    if (this.dueInMs(nowMs) !== 0) return undefined;
    const due = this.#owed;
    this.#owed = undefined;
    this.#sentAtMs = nowMs;
    return due;
  }

  /** When there is something to send; undefined where nothing is owed. */
  dueInMs(nowMs: number): number | undefined {
    if (this.#owed === undefined) return undefined;
    return Math.max(0, this.#sentAtMs + CHECKPOINTS_GATHERED_MS - nowMs);
  }
}
