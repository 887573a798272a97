import type { Position } from '#domain/event';
import type { FollowedItem, LedgerStore, VerbatimEvent } from '#event-store';
import { sleep } from '#platform';
import { WINDOW_BYTES, WINDOW_EVENTS, WINDOW_MS } from './limits.js';

/** Source and target of a copy. */
export interface CopiedStores {
  readonly source: LedgerStore;
  readonly target: LedgerStore;
}

/** Events that came one after another, to be written before anything that follows them. */
export interface CopyWindow {
  readonly events: readonly VerbatimEvent[];
  /** Everything of the namespace up to here came. */
  readonly upTo: Position;
  /** All that the source had when it was asked has come with this window or before. */
  readonly isCaughtUp: boolean;
}

/**
 * The streams of a namespace from a position on, in the source's order, with the streams of their metadata.
 *
 * @param windowEvents the most events of a window.
 * @returns until the signal is aborted. @throws Fault when the connection is lost.
 */
export async function* readWindows(
  source: LedgerStore,
  namespace: string,
  after: Position,
  signal: AbortSignal,
  windowEvents = WINDOW_EVENTS,
): AsyncGenerator<CopyWindow, void, undefined> {
  const left = new AbortController();
  const until = AbortSignal.any([signal, left.signal]);
  const items = source.verbatim.follow(after, namespacePattern(namespace), until);
  let gathered = new Gathering(after, windowEvents);
  const ask = () => {
    const next = items.next();
    // It may fail while a window is written, and is looked at behind that.
    next.catch(() => undefined);
    return next;
  };
  let pending = ask();
  try {
    for (;;) {
      const next = await gathered.waitFor(pending);
      if (next !== undefined && next.done !== true) {
        pending = ask();
        gathered.add(next.value);
        if (!gathered.isFull) continue;
      }
      if (gathered.hasNews) yield gathered;
      if (next?.done === true) return;
      gathered = new Gathering(gathered.upTo, windowEvents);
    }
  } finally {
    // The generator waits for the store, so that it is ended by its signal alone.
    left.abort();
  }
}

/** All streams of a namespace, and those of their metadata. */
function namespacePattern(namespace: string): string {
  return `^(?:\\$\\$)?${namespace}\\.`;
}

class Gathering implements CopyWindow {
  readonly events: VerbatimEvent[] = [];
  isCaughtUp = false;
  hasNews = false;
  #bytes = 0;
  #timeIsUp: Promise<undefined> | undefined;

  constructor(
    public upTo: Position,
    private readonly windowEvents: number,
  ) {}

  get isFull(): boolean {
    return (
      this.isCaughtUp || this.events.length >= this.windowEvents || this.#bytes >= WINDOW_BYTES
    );
  }

  /** The next item; undefined when the gathered ones have waited long enough for it. */
  waitFor<T>(next: Promise<T>): Promise<T | undefined> {
    return this.#timeIsUp === undefined ? next : Promise.race([next, this.#timeIsUp]);
  }

  add(item: FollowedItem): void {
    this.hasNews = true;
    this.#timeIsUp ??= sleep(WINDOW_MS).then(() => undefined);
    if (item.kind === 'caught-up') this.isCaughtUp = true;
    else if (item.kind === 'position') this.#reach(item.position);
    else {
      const { event } = item;
      this.events.push(event);
      this.#bytes += event.data.length + event.metadata.length;
      this.#reach(event.position);
    }
  }

  #reach(position: Position): void {
    if (position > this.upTo) this.upTo = position;
  }
}
