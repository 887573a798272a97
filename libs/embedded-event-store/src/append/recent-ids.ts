import { RECENT_EVENT_IDS } from '../limits.js';
import type { StoredAt } from './expected-revision.js';

/**
 * The ids of the last events that were appended, by stream. It makes a retry at `any` idempotent as
 * long as it comes soon; like EventStoreDB's, it does not survive a restart.
 */
export class RecentIds {
  readonly #events = new Map<string, StoredAt>();

  constructor(private readonly capacity = RECENT_EVENT_IDS) {}

  find(stream: number, id: Buffer): StoredAt | undefined {
    return this.#events.get(recentKey(stream, id));
  }

  remember(stream: number, id: Buffer, at: StoredAt): void {
    this.#events.set(recentKey(stream, id), at);
    if (this.#events.size <= this.capacity) return;
    // A Map yields its keys in the order of their insertion: the first one is the oldest.
    for (const oldest of this.#events.keys()) {
      this.#events.delete(oldest);
      return;
    }
  }
}

function recentKey(stream: number, id: Buffer): string {
  return `${id.toString('latin1', 0, 16)}${stream}`;
}
