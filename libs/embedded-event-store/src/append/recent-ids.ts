import { RECENT_EVENT_IDS } from '../limits.js';
import type { StoredAt } from './expected-revision.js';

/**
 * The ids of the last events that were appended, by stream: at least as many as the capacity, and twice as many at
 * most. It makes a retry at `any` idempotent as long as it comes soon; like EventStoreDB's, it does not survive a
 * restart.
 */
export class RecentIds {
  #newer = new Map<string, StoredAt>();
  #older = new Map<string, StoredAt>();

  constructor(private readonly capacity = RECENT_EVENT_IDS) {}

  find(stream: number, id: Buffer): StoredAt | undefined {
    const key = toKey(stream, id);
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  remember(stream: number, id: Buffer, at: StoredAt): void {
    if (this.#newer.size >= this.capacity) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(toKey(stream, id), at);
  }
}

function toKey(stream: number, id: Buffer): string {
  return `${id.toString('latin1')}${stream}`;
}
