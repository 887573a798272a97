import { LRUCache } from 'lru-cache';
import { REMEMBERED_NAMES_BYTES } from '../limits.js';
import type { LogStore } from '../storage/log-store.js';
import { recordStreamName, recordType } from '../storage/record.js';

/** Positions that are remembered and forgotten together. */
const PAGE_EVENTS = 256;

/** Of a string, beside its characters, and its place in a list. */
const STRING_BYTES = 24;

/** The names of events at positions without a gap, from the first of a page on. */
interface NamePage {
  readonly streams: string[];
  readonly types: string[];
  bytes: number;
}

/**
 * What events are called, by their positions. A ledger has dozens of followers with filters: the first that comes
 * to an event reads it from the disk, and the others match these names. They never change, even when what an event
 * says is scavenged.
 */
export class EventNames {
  readonly #pages: LRUCache<number, NamePage>;

  constructor(
    private readonly store: LogStore,
    maxSize = REMEMBERED_NAMES_BYTES,
  ) {
    this.#pages = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes });
  }

  /** The names of the events from one position to another, both of which were committed. */
  list(on: 'stream' | 'type', first: number, last: number): string[] {
    const names: string[] = [];
    for (let at = first; at <= last;) {
      const number = Math.floor(at / PAGE_EVENTS);
      const start = number * PAGE_EVENTS;
      const end = Math.min(last, start + PAGE_EVENTS - 1);
      const page = this.#read(number, end - start + 1);
      const all = on === 'stream' ? page.streams : page.types;
      for (; at <= end; at += 1) names.push(all[at - start] ?? '');
    }
    return names;
  }

  #read(number: number, count: number): NamePage {
    const page = this.#pages.get(number) ?? { streams: [], types: [], bytes: 0 };
    if (page.streams.length >= count) return page;
    for (let offset = page.streams.length; offset < count; offset += 1) {
      // Positions begin at 1.
      const position = number * PAGE_EVENTS + offset;
      const record = position === 0 ? undefined : this.store.record(position);
      const stream = record ? recordStreamName(record) : '';
      const type = record ? recordType(record) : '';
      page.streams.push(stream);
      page.types.push(type);
      page.bytes += stream.length + type.length + 2 * STRING_BYTES;
    }
    this.#pages.set(number, page);
    return page;
  }
}
