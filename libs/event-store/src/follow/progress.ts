import type { Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { START } from '../streams/position.js';

/** How far a follower of the store has come, for callers that wait for a position. */
export class Progress {
  #position: Position = START;
  readonly #waiting = new Set<{ readonly position: Position; readonly resolve: () => void }>();

  /** @param what is said to follow, in the fault: "following the apps". */
  constructor(private readonly what: string) {}

  /** Everything up to here is applied; `START` before the first. */
  get position(): Position {
    return this.#position;
  }

  /** Says that everything up to a position is applied, and wakes the callers that waited for it. */
  reach(position: Position): void {
    this.#position = position;
    for (const waiter of this.#waiting) {
      if (waiter.position > position) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  /**
   * Resolves once everything up to a position is applied. @throws Fault `unavailable` after the
   * limit.
   */
  async waitFor(position: Position, limitMs: number): Promise<void> {
    if (this.#position !== START && this.#position >= position) return;
    let resolve: () => void = () => undefined;
    const come = new Promise<void>((woken) => (resolve = woken));
    const waiter = { position, resolve };
    this.#waiting.add(waiter);
    try {
      await withTimeLimit(come, limitMs, this.what);
    } finally {
      this.#waiting.delete(waiter);
    }
  }
}
