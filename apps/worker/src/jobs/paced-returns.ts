import { RETURN_AFTER_MAX_MS, RETURN_AFTER_MIN_MS } from '../limits.js';

/** A job that goes back, and what it is counted under. */
interface Returning {
  readonly jobId: string;
  readonly key: string;
  readonly keys: number;
}

interface Turn {
  readonly key: string;
  readonly atMs: number;
}

/**
 * When jobs that were given back come again by themselves. Most are woken before that, when there is room:
 * this is for those that memory has forgotten, with the process or for want of room. They come at a bounded
 * rate (GCRA, a leaky bucket), which keys share: a backlog of any size costs Redis the same, and a key that
 * has few of them waits for no other's. One that is woken gives its turn back: else a backlog that moves on
 * would put off what comes to it, by minutes.
 */
export class PacedReturns {
  /** By key, when its next one may come. */
  readonly #next = new Map<string, number>();
  /** By key, the turns that were given back, in their order: before new ones are made, these are taken. */
  readonly #given = new Map<string, number[]>();
  /** By job, the turn that is its own until then: no more than come in the longest wait. */
  readonly #turns = new Map<string, Turn>();

  constructor(private readonly perSecond: number) {}

  /**
   * @param keys how many share the rate. @param random from 0 to 1.
   * @returns when this job of the key is to come again, by the clock of `nowMs`.
   */
  take({ jobId, key, keys }: Returning, nowMs: number, random: number): number {
    const earliestMs = nowMs + RETURN_AFTER_MIN_MS;
    const given = this.#takeGiven(key, earliestMs);
    const atMs = given ?? Math.max(earliestMs, this.#next.get(key) ?? 0);
    const latestMs = nowMs + RETURN_AFTER_MAX_MS;
    if (atMs < latestMs) {
      const spacingMs = (1_000 / this.perSecond) * Math.max(1, keys);
      if (given === undefined) this.#next.set(key, atMs + spacingMs);
      this.#turns.set(jobId, { key, atMs });
      return Math.round(atMs);
    }
    // Not all of them at the same instant.
    return Math.round(latestMs - (random * RETURN_AFTER_MAX_MS) / 2);
  }

  /** The job was woken: another one of its key comes in its turn, and none comes at the same time as one that waits. */
  giveTurnBack(jobId: string, nowMs: number): void {
    const turn = this.#turns.get(jobId);
    if (turn === undefined) return;
    this.#turns.delete(jobId);
    // A turn that has passed is of no use.
    if (turn.atMs <= nowMs) return;
    const given = this.#given.get(turn.key) ?? [];
    const at = given.findLastIndex((atMs) => atMs < turn.atMs) + 1;
    given.splice(at, 0, turn.atMs);
    this.#given.set(turn.key, given);
  }

  /** Those that have come too near for any job are dropped. */
  #takeGiven(key: string, earliestMs: number): number | undefined {
    const given = this.#given.get(key) ?? [];
    let atMs = given.shift();
    while (atMs !== undefined && atMs < earliestMs) atMs = given.shift();
    if (given.length === 0) this.#given.delete(key);
    return atMs;
  }

  /** Forgets keys whose jobs have all come, and turns that have passed. */
  forgetOld(nowMs: number): void {
    for (const [jobId, { atMs }] of this.#turns) if (atMs < nowMs) this.#turns.delete(jobId);
    for (const [key, atMs] of this.#next) if (atMs < nowMs) this.#next.delete(key);
    for (const [key, given] of this.#given)
      if ((given.at(-1) ?? 0) < nowMs) this.#given.delete(key);
  }
}
