import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { EventBatch, FeedItem, Partitions } from '#event-store';
import { EVENTS_KEPT } from '../limits.js';
import { PARTITIONS } from '../tokens.js';
import { CursorSet } from '../redis/cursor-set.js';

/**
 * The newest events of the partition that were worked on while endpoints are backlogged. They are wanted again as soon as
 * these have room, and to read them from the store a second time costs as much as the first time. Of a stretch of the
 * store that it has, it has all events.
 */
@Injectable()
export class RecentEvents {
  readonly #most: number;
  #events: FeedItem[] = [];
  /** It has all between these two; the first one is behind the other, or is the same, where it has none. */
  #after: Position = '';
  #upTo: Position = '';

  constructor(
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'all'>,
    @Inject(PARTITIONS) { count }: Pick<Partitions, 'count'>,
  ) {
    this.#most = Math.ceil(EVENTS_KEPT / count);
  }

  /** All events between two positions were worked on. They are kept where an endpoint is backlogged by now. */
  note(after: Position, { events, upTo }: EventBatch): void {
    // Unknown events of the time between would be passed over.
    const hasGap = after > this.#upTo;
    if (hasGap || this.cursors.all.size === 0) this.#begin(after);
    if (this.cursors.all.size === 0 || upTo <= this.#upTo) return;
    // After an error some come a second time.
    for (const event of events) if (event.position > this.#upTo) this.#events.push(event);
    this.#upTo = upTo;
    const gone = this.#events.splice(0, this.#events.length - this.#most);
    this.#after = gone.at(-1)?.position ?? this.#after;
  }

  /** The events behind a position, so many at most; undefined where the store has to be read for them. */
  next(after: Position, count: number): EventBatch | undefined {
    if (after < this.#after || after >= this.#upTo) return undefined;
    const from = this.#findBehind(after);
    const events = this.#events.slice(from, from + count);
    const isLast = from + count >= this.#events.length;
    return { events, upTo: isLast ? this.#upTo : (events.at(-1)?.position ?? this.#upTo) };
  }

  #begin(after: Position): void {
    this.#events = [];
    this.#after = after;
    this.#upTo = after;
  }

  /** The index of the first one behind a position, found by halves. */
  #findBehind(after: Position): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? '') > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
