import type { Position } from '#domain/event';
import type { LedgerStore } from '#event-store';
import type { Log } from '#platform';
import { AHEAD_BELIEVED_AFTER_MS } from '../limits.js';

/** A generation that answers. */
interface Standing {
  readonly position: Position;
}

/**
 * Finds read models that are ahead of their store, which has lost events, as after a restore from a
 * backup. One look proves nothing: it is believed when the leader has said so for minutes, and when the
 * event at the checkpoint is really absent (rules/events 6).
 */
export class AheadOfStore {
  #sinceMs: number | undefined;

  constructor(
    private readonly store: Pick<LedgerStore, 'hasEventAt'>,
    private readonly log: Log,
    private readonly believedAfterMs = AHEAD_BELIEVED_AFTER_MS,
  ) {}

  /** @returns those that have to be built anew. @throws Fault of the store. */
  async find<Each extends Standing>(
    answering: readonly Each[],
    head: Position,
    nowMs: number,
  ): Promise<Each[]> {
    const ahead = answering.filter(({ position }) => position > head);
    if (ahead.length === 0) {
      this.#sinceMs = undefined;
      return [];
    }
    if (this.#sinceMs === undefined) {
      this.#sinceMs = nowMs;
      this.log.warn(
        { head },
        'read models seem to be ahead of the event store; they are kept so far',
      );
    }
    if (nowMs - this.#sinceMs < this.believedAfterMs) return [];
    const absent: Each[] = [];
    for (const each of ahead) {
      if (!(await this.store.hasEventAt(each.position))) absent.push(each);
    }
    return absent;
  }
}
