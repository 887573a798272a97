import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { Fault, retry } from '#platform';
import { AggregateCache } from './aggregate-cache.js';
import type { EventStore, FeedItem } from '../streams/event-store.js';
import { type Folded, foldEvent, foldEvents, unfolded } from '../streams/fold.js';
import { FAILOVER_BASE_MS, FAILOVER_CAP_MS, READ_AGAIN_FOR_MS } from '../streams/limits.js';

interface ReadOptions {
  /** The last event to fold. */
  readonly toRevision?: number;
  readonly onEvent?: (event: RecordedEvent) => void;
}

/**
 * Reads and folds streams, and keeps them folded. A kept state may be behind its stream: an append is guarded by the
 * expected revision, and a command that appends nothing reads the stream on before it is answered.
 */
export class AggregateReader {
  readonly #cache: AggregateCache<Folded<unknown>>;

  /** @param kept how many streams; 0 for none. */
  constructor(
    private readonly store: EventStore,
    kept: number,
  ) {
    this.#cache = new AggregateCache({ max: kept });
  }

  /** The stream as far as it is kept, without reading. */
  recall<State>(streamName: string): Folded<State> | undefined {
    // A stream name begins with its aggregate's category, so its state is that aggregate's.
    return this.#cache.get(streamName) as Folded<State> | undefined;
  }

  keep(streamName: string, folded: Folded<unknown>): void {
    this.#cache.keep(streamName, folded);
  }

  forget(streamName: string): void {
    this.#cache.forget(streamName);
  }

  /** Takes a stream on by an event that goes by, so that a command need not read it. */
  follow<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    item: FeedItem,
  ): void {
    this.#cache.follow(item, unfolded(decider.initialState), (before) =>
      'undecodable' in item ? undefined : foldEvent(decider.evolve, before as Folded<State>, item),
    );
  }

  /**
   * Reads a stream on from the last fold, or from its beginning. Gives back `from` itself when nothing has been
   * appended since.
   */
  async read<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    { decider }: Aggregate<State, Command, Event, Rejection>,
    streamName: string,
    from: Folded<State> = unfolded(decider.initialState),
    { toRevision, onEvent }: ReadOptions = {},
  ): Promise<Folded<State>> {
    const maxCount = toRevision === undefined ? undefined : toRevision - from.revision;
    if (maxCount !== undefined && maxCount <= 0) return from;
    const fold = () => {
      const events = this.store.readStream(streamName, {
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
    baseMs: FAILOVER_BASE_MS,
    capMs: FAILOVER_CAP_MS,
    isRetryable: (error) => error instanceof Fault && error.code === 'unavailable',
  });
}
