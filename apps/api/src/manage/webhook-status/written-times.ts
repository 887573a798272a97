import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Instant, Position } from '#domain/event';
import type { EventStore } from '#event-store';
import { EVENT_STORE } from '#nest';
import { upTo } from '#platform';

/** What waits does so for a while, and is looked at again: a hundred bytes each. */
const TIMES_KEPT = 10_000;

/** When what stands at positions of the store was written: that never changes. */
@Injectable()
export class WrittenTimes {
  readonly #known = new LRUCache<Position, Instant>(upTo(TIMES_KEPT));

  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'findTime'>) {}

  /** `""` where there is no position, or nothing there. @throws Fault of the store. */
  async find(position: Position | null): Promise<Instant> {
    if (position === null) return '';
    const time = this.#known.get(position) ?? (await this.store.findTime(position));
    if (time !== undefined) this.#known.set(position, time);
    return time ?? '';
  }
}
