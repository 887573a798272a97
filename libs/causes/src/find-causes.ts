import { categoryOf, type RecordedEvent } from '#domain/event';
import { loyaltyAggregate } from '#domain/loyalty';
import { playerPlansAggregate } from '#domain/player-plans';
import { PROCESS_ROUTES } from '#domain/processes';
import type { EventStore } from '#event-store';
import { listFields } from './state-changes.js';
import { streamsOfId } from './stream-names.js';

/** An event that led to another one. */
export interface CausingEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly occurredAt: string;
  readonly actor: string;
  readonly commandId: string | null;
  /** The id of the request with which the way began. */
  readonly correlationId: string;
}

/** The way from an event up to the command of a caller. */
export interface Causes {
  /** The nearest one first. */
  readonly causes: readonly CausingEvent[];
  /** The id of the event at which the way is lost, since no stream that is named on the way has it. */
  readonly lostAt: string | undefined;
}

type Store = Pick<EventStore, 'readStream'>;

/** A way is some six events long; events that name each other in a circle do not end a replay. */
const MAX_CAUSES = 50;
/** So many events of a stream are searched for a cause, from the effect back: years of a subscription. */
const MAX_SEARCHED = 5_000;
/** Read at a time: the nearest cause stands a few events before. */
const PAGE = 50;

/** The streams whose events set a process going. */
const CATEGORIES = new Set(PROCESS_ROUTES.map(({ on }) => on.slice(0, on.indexOf('.'))));
const OF_PLAYERS = [playerPlansAggregate, loyaltyAggregate];

/**
 * Follows `$causationId` from an event up. The id of an event does not tell its stream: the streams are searched that the
 * events on the way name.
 *
 * @param state after the event, which names streams, too. @throws Fault of the store.
 */
export async function findCauses(
  store: Store,
  event: RecordedEvent,
  state: unknown,
): Promise<Causes> {
  const causes: CausingEvent[] = [];
  if (event.metadata.$causationId === undefined) return { causes, lostAt: undefined };
  const search = new CauseSearch(store);
  search.name([...listStreams(event), ...listStreams(state)]);
  let effect = event;
  while (effect.metadata.$causationId !== undefined && causes.length < MAX_CAUSES) {
    const cause = await search.findCause(effect);
    if (cause === undefined) return { causes, lostAt: effect.metadata.$causationId };
    causes.push(toCause(cause));
    search.name([...(await listStreamsOfFirst(store, cause)), ...listStreams(cause)]);
    effect = cause;
  }
  return { causes, lostAt: undefined };
}

/** The streams in which a cause may be, each with the revision before which it must be: causes come first. */
class CauseSearch {
  readonly #streams = new Map<string, number | undefined>();

  constructor(private readonly store: Store) {}

  name(streams: readonly string[]): void {
    for (const stream of streams) {
      if (!this.#streams.has(stream)) this.#streams.set(stream, undefined);
    }
  }

  async findCause({ streamName, revision, metadata }: RecordedEvent) {
    this.#streams.set(streamName, revision);
    // The cause is more often than not in a stream that was named late.
    for (const [stream, before] of [...this.#streams].reverse()) {
      const cause = await this.#search(stream, before, metadata.$causationId);
      if (cause !== undefined) return cause;
    }
    return undefined;
  }

  /** Reads each page to its end: a store closes a connection on which many calls are given up half-way. */
  async #search(stream: string, before: number | undefined, id: string | undefined) {
    let upTo = before;
    for (let searched = 0; searched < MAX_SEARCHED && upTo !== 0; searched += PAGE) {
      const from = upTo === undefined ? {} : { fromRevision: upTo - 1 };
      const options = { backwards: true, maxCount: PAGE, ...from };
      let [cause, first]: (RecordedEvent | undefined)[] = [];
      for await (const event of this.store.readStream(stream, options)) {
        if (event.id === id) cause = event;
        first = event;
      }
      if (cause !== undefined || first === undefined) return cause;
      upTo = first.revision;
    }
    return undefined;
  }
}

/** The first event of a stream names more than later ones, as the request of a payment names its link. */
async function listStreamsOfFirst(store: Store, { streamName, revision }: RecordedEvent) {
  const streams: string[] = [];
  if (revision === 0) return streams;
  for await (const first of store.readStream(streamName, { maxCount: 1 })) {
    streams.push(...listStreams(first));
  }
  return streams;
}

/** The streams of processes that a value names by ids, and those of the player whose it is. */
function listStreams(value: unknown): string[] {
  const named = listFields(value).flatMap(({ field, value: id }) => {
    if (typeof id !== 'string') return [];
    const isPlayer = field === 'player' || field.endsWith('.player');
    return isPlayer ? OF_PLAYERS.map(({ category }) => `${category}-${id}`) : streamsOfId(id);
  });
  return named.filter((stream) => CATEGORIES.has(categoryOf(stream)));
}

function toCause({ streamName, revision, type, metadata }: RecordedEvent): CausingEvent {
  const { occurredAt, actor, commandId = null, $correlationId: correlationId } = metadata;
  return { stream: streamName, revision, type, occurredAt, actor, commandId, correlationId };
}
