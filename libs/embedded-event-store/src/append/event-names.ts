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
 * The names of events, by their positions. A ledger has dozens of followers with filters, all of which match these
 * names: they are those of the appends while the process has room for them, and are read from the disk by the first
 * follower that comes to an older event. They never change, even when an event's content is scavenged.
 */
export class EventNames {
  readonly #pages: LRUCache<number, NamePage>;
  /** The page that grows, which is not measured anew at each append. */
  #newest: { readonly number: number; readonly page: NamePage } | undefined;

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

  /** To be called for each event as it gets its position, which it shows to no reader before it is committed. */
  add(position: number, stream: string, type: string): void {
    const number = Math.floor(position / PAGE_EVENTS);
    const offset = position % PAGE_EVENTS;
    const page = this.#pageThatGrows(number, offset);
    if (page.streams.length === offset) push(page, stream, type);
  }

  /** A page whose first events are older than the process has them read. */
  #pageThatGrows(number: number, offset: number): NamePage {
    if (this.#newest?.number === number) return this.#newest.page;
    if (this.#newest) this.#pages.set(this.#newest.number, this.#newest.page);
    const page = this.#read(number, offset);
    this.#newest = { number, page };
    return page;
  }

  #read(number: number, count: number): NamePage {
    if (this.#newest?.number === number) return this.#newest.page;
    const page = this.#pages.get(number) ?? { streams: [], types: [], bytes: 0 };
    if (page.streams.length >= count) return page;
    for (let offset = page.streams.length; offset < count; offset += 1) {
      // Positions begin at 1.
      const position = number * PAGE_EVENTS + offset;
      const record = position === 0 ? undefined : this.store.record(position);
      push(page, record ? recordStreamName(record) : '', record ? recordType(record) : '');
    }
    this.#pages.set(number, page);
    return page;
  }
}

function push(page: NamePage, stream: string, type: string): void {
  page.streams.push(stream);
  page.types.push(type);
  page.bytes += stream.length + type.length + 2 * STRING_BYTES;
}
