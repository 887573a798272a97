import { RECENT_EVENT_IDS } from '../limits.js';
import type { StoredAt } from './expected-revision.js';

/**
 * The ids of the last events that were appended, by stream. It makes a retry at `any` idempotent as
 * long as it comes soon; like EventStoreDB's, it does not survive a restart.
 */
export class RecentIds {
  readonly #events = new Map<string, StoredAt>();
  /**
   * A Map yields its keys in the order of their insertion. One iterator is kept for good: a new one
   * would walk past every entry deleted since the Map was last compacted, tens of thousands of them.
   */
  readonly #oldestFirst = this.#events.keys();

  constructor(private readonly capacity = RECENT_EVENT_IDS) {}

  find(stream: number, id: Buffer): StoredAt | undefined {
    return this.#events.get(recentKey(stream, id));
  }

  remember(stream: number, id: Buffer, at: StoredAt): void {
    this.#events.set(recentKey(stream, id), at);
    if (this.#events.size <= this.capacity) return;
    const oldest = this.#oldestFirst.next();
    if (oldest.done !== true) this.#events.delete(oldest.value);
  }
}

function recentKey(stream: number, id: Buffer): string {
  return `${id.toString('latin1', 0, 16)}${stream}`;
}
