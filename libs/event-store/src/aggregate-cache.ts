import { LRUCache } from 'lru-cache';
import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { Fault, retry, upTo } from '#platform';
import type { EventStore, FeedItem } from './event-store.js';
import { type Folded, foldEvent, foldEvents, unfolded } from './fold.js';
import { APPEND_RETRY_BASE_MS, APPEND_RETRY_CAP_MS, READ_AGAIN_FOR_MS } from './limits.js';

/**
 * Streams folded earlier. An entry may be behind its stream: an append is guarded by the expected
 * revision, and a command that appends nothing reads the stream on before it is answered.
 */
export class AggregateCache {
  readonly #store: EventStore;
  readonly #cache: LRUCache<string, Folded<unknown>> | undefined;

  constructor(store: EventStore, size: number) {
    this.#store = store;
    this.#cache = size > 0 ? new LRUCache(upTo(size)) : undefined;
  }

  /** The cached state of a stream, without reading. */
  peek<State>(streamName: string): Folded<State> | undefined {
    // A stream name begins with its aggregate's category, so its state is that aggregate's.
    return this.#cache?.get(streamName) as Folded<State> | undefined;
  }

  /** Keeps what was folded, unless more is known already. */
  keep(streamName: string, folded: Folded<unknown>): void {
    const known = this.#cache?.peek(streamName);
    if (known === undefined || known.revision < folded.revision) {
      this.#cache?.set(streamName, folded);
    }
  }

  /**
   * Takes a stream on by an event that goes by, so that a command need not read it: one that is kept, or that
   * begins with this event. After a gap, or an event that cannot be read, it is let go.
   */
  follow<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    item: FeedItem,
  ): void {
    const { streamName, revision } = item;
    const known =
      this.peek<State>(streamName) ?? (revision === 0 ? unfolded(decider.initialState) : undefined);
    if (known === undefined || revision <= known.revision) return;
    if ('undecodable' in item || revision > known.revision + 1) this.forget(streamName);
    else this.keep(streamName, foldEvent(decider.evolve, known, item));
  }

  forget(streamName: string): void {
    this.#cache?.delete(streamName);
  }

  /**
   * Reads a stream on from where it was folded, or from its beginning. Gives back `known` itself when nothing has
   * been appended since.
   *
   * @param toRevision the last event to fold.
   */
  async read<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    streamName: string,
    from: Folded<State> = unfolded(decider.initialState),
    options: { toRevision?: number; onEvent?: (event: RecordedEvent) => void } = {},
  ): Promise<Folded<State>> {
    const { toRevision, onEvent } = options;
    const maxCount = toRevision === undefined ? undefined : toRevision - from.revision;
    if (maxCount !== undefined && maxCount <= 0) return from;
    const fold = () => {
      const events = this.#store.readStream(streamName, {
        ...(from.revision >= 0 && { fromRevision: from.revision + 1 }),
        ...(maxCount !== undefined && { maxCount }),
      });
      const wanted = toRevision === undefined ? events : takeUpTo(events, toRevision);
      return foldEvents(decider.evolve, from, wanted, onEvent);
    };
    const folded = await fold().catch((error: unknown) => againWhileElecting(fold, error));
    if (folded !== from) this.keep(streamName, folded);
    return folded;
  }
}

/** Of a stream whose beginning was cut off, as many events lead further than to a revision. */
async function* takeUpTo(events: AsyncIterable<RecordedEvent>, toRevision: number) {
  for await (const event of events) {
    if (event.revision > toRevision) return;
    yield event;
  }
}

/** A read changes nothing, so one that a lost leader did not answer is made again, as appends are. */
async function againWhileElecting<T>(read: () => Promise<T>, first: unknown): Promise<T> {
  const attempt = async (number: number) => {
    if (number === 0) throw first;
    return read();
  };
  return retry(attempt, {
    deadlineMs: READ_AGAIN_FOR_MS,
    baseMs: APPEND_RETRY_BASE_MS,
    capMs: APPEND_RETRY_CAP_MS,
    isRetryable: (error) => error instanceof Fault && error.code === 'unavailable',
  });
}
