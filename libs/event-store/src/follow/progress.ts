import type { Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { START } from '../streams/position.js';

/** How far a follower of the store has come, for callers that wait for a position. */
export interface Progress {
  /** Everything up to here is applied; `START` before the first. */
  readonly position: Position;
  /** Says that everything up to a position is applied, and wakes the callers that waited for it. */
  reach(position: Position): void;
  /**
   * Resolves once everything up to a position is applied. @throws Fault `unavailable` after the
   * limit.
   */
  waitFor(position: Position, limitMs: number): Promise<void>;
}

/** @param what is said to follow, in the fault: "following the apps". */
export function createProgress(what: string): Progress {
  let reached: Position = START;
  const waiting = new Set<{ readonly position: Position; readonly resolve: () => void }>();
  return {
    get position() {
      return reached;
    },
    reach: (position) => {
      reached = position;
      for (const waiter of waiting) {
        if (waiter.position > position) continue;
        waiting.delete(waiter);
        waiter.resolve();
      }
    },
    waitFor: async (position, limitMs) => {
      if (reached !== START && reached >= position) return;
      let resolve: () => void = () => undefined;
      const come = new Promise<void>((woken) => (resolve = woken));
      const waiter = { position, resolve };
      waiting.add(waiter);
      try {
        await withTimeLimit(come, limitMs, what);
      } finally {
        waiting.delete(waiter);
      }
    },
  };
}
