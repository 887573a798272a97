import { RETURN_AFTER_MAX_MS, RETURN_AFTER_MIN_MS } from '../limits.js';

/** A job that goes back, and what it is counted under. */
interface Returning {
  readonly jobId: string;
  readonly key: string;
  readonly keys: number;
}

interface Turn {
  readonly key: string;
  readonly spacingMs: number;
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
  /** By job, the turn that is its own until then: no more than come in the longest wait. */
  readonly #turns = new Map<string, Turn>();

  constructor(private readonly perSecond: number) {}

  /**
   * @param keys how many share the rate. @param random from 0 to 1.
   * @returns when this job of the key is to come again, by the clock of `nowMs`.
   */
  take({ jobId, key, keys }: Returning, nowMs: number, random: number): number {
    const spacingMs = (1_000 / this.perSecond) * Math.max(1, keys);
    const atMs = Math.max(nowMs + RETURN_AFTER_MIN_MS, this.#next.get(key) ?? 0);
    const latestMs = nowMs + RETURN_AFTER_MAX_MS;
    if (atMs < latestMs) {
      this.#next.set(key, atMs + spacingMs);
      this.#turns.set(jobId, { key, spacingMs, atMs });
      return Math.round(atMs);
    }
    // Not all of them at the same instant.
    return Math.round(latestMs - (random * RETURN_AFTER_MAX_MS) / 2);
  }

  /** The job was woken: those of its key that are given back from now on come so much earlier. */
  giveTurnBack(jobId: string, nowMs: number): void {
    const turn = this.#turns.get(jobId);
    if (turn === undefined) return;
    this.#turns.delete(jobId);
    const next = this.#next.get(turn.key);
    // A turn that has passed is of no use.
    if (next !== undefined && turn.atMs > nowMs) this.#next.set(turn.key, next - turn.spacingMs);
  }

  /** Forgets keys whose jobs have all come, and turns that have passed. */
  forgetOld(nowMs: number): void {
    for (const [jobId, { atMs }] of this.#turns) if (atMs < nowMs) this.#turns.delete(jobId);
    for (const [key, atMs] of this.#next) if (atMs < nowMs) this.#next.delete(key);
  }
}
