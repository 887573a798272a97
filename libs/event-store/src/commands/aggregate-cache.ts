import { LRUCache } from 'lru-cache';
import { upTo } from '#platform';

/** The state kept of a stream, at the revision of the last event in it. */
interface AtRevision {
  readonly revision: number;
}

/** How much is kept; beyond it, the streams go that were asked for longest ago. */
interface CacheBounds<Kept> {
  /** Streams; 0 for none. */
  readonly max: number;
  /** Bytes of all of them together, where their sizes differ much. */
  readonly bytes?: { readonly max: number; readonly of: (kept: Kept) => number };
}

/**
 * The one cache of folded states, by the names of their streams. Every event that goes by takes its stream on, so that
 * the stream need not be read. An entry may be behind its stream, and never wrong: its owner decides its use.
 */
export class AggregateCache<Kept extends AtRevision> {
  readonly #kept: LRUCache<string, Kept> | undefined;
  readonly #max: number;

  constructor({ max, bytes }: CacheBounds<Kept>) {
    this.#max = max;
    if (max === 0) return;
    this.#kept = new LRUCache(
      bytes === undefined ? upTo(max) : { maxSize: bytes.max, sizeCalculation: bytes.of },
    );
  }

  /** The state kept of a stream, which stays longer for being asked for. */
  get(streamName: string): Kept | undefined {
    return this.#kept?.get(streamName);
  }

  /** The same for a look that is no use of it. */
  peek(streamName: string): Kept | undefined {
    return this.#kept?.peek(streamName);
  }

  /** Keeps a folded state, unless a newer one is kept already. */
  keep(streamName: string, folded: Kept): void {
    if ((this.peek(streamName)?.revision ?? -Infinity) < folded.revision) {
      this.#set(streamName, folded);
    }
  }

  forget(streamName: string): void {
    this.#kept?.delete(streamName);
  }

  /**
   * Takes a stream on by its very next event: one that is kept, or that begins with this event. An event that is known
   * already changes nothing; after a gap the stream is forgotten, to be read again.
   *
   * @param begin the stream before its first event.
   * @param fold gives undefined for an event that cannot be folded: the stream is forgotten then, too.
   */
  follow(
    { streamName, revision }: { readonly streamName: string; readonly revision: number },
    begin: Kept,
    fold: (before: Kept) => Kept | undefined,
  ): void {
    const known = this.peek(streamName) ?? (revision === 0 ? begin : undefined);
    if (known === undefined || revision <= known.revision) return;
    const after = revision === known.revision + 1 ? fold(known) : undefined;
    if (after === undefined) this.forget(streamName);
    else this.#set(streamName, after);
  }

  #set(streamName: string, folded: Kept): void {
    this.#kept?.set(streamName, folded);
    if ((this.#kept?.size ?? 0) > this.#max) this.#kept?.pop();
  }
}
