import { LRUCache } from 'lru-cache';
import { COMMAND_RECORDED, type Position } from '#domain/event';
import { upTo } from '#platform';
import type { FeedItem } from './event-store.js';
import { LIVE_ABSENT_STREAMS, LIVE_NEW_STREAMS, LIVE_STATE_BYTES, LIVE_STATES } from './limits.js';
import { weigh } from './weigh.js';

/** A stream's state, current as far as the store was followed. */
export interface LiveState<State = unknown> {
  readonly state: State;
  /** Of the last event folded; -1 when there is no stream. */
  readonly revision: number;
  readonly position: Position | null;
  /**
   * The stream goes on with an event that this release cannot read: the state stays as the events
   * before it tell (rules/events 5).
   */
  readonly isFrozen: boolean;
}

/** What is known of a stream before its first event; the state is its aggregate's initial one. */
const NO_STREAM = { revision: -1, position: null, isFrozen: false } as const;

/** How much is kept; each bound lets go of what was asked for longest ago. */
export interface LiveStateLimits {
  readonly states: number;
  readonly bytes: number;
  readonly absent: number;
  readonly new: number;
}

const LIMITS: LiveStateLimits = {
  states: LIVE_STATES,
  bytes: LIVE_STATE_BYTES,
  absent: LIVE_ABSENT_STREAMS,
  new: LIVE_NEW_STREAMS,
};

/** Of a decider, what a state is folded with. */
export interface LiveDecider<State> {
  readonly initialState: State;
  readonly evolve: (state: State, event: never) => State;
}

/** The decider of any aggregate: a stream's name says whose its state and its events are. */
export interface AnyLiveDecider {
  readonly initialState: unknown;
  readonly evolve: (state: never, event: never) => unknown;
}

/** A reading of a stream that is under way. */
export interface Reading {
  /** The last event of the stream that went by since it began; -1 for none. */
  seen: number;
}

/**
 * States by the names of their streams, bounded, each taken on by the events that go by (rules/events
 * 10). An event counts only where it is the very next one after what is known: one that is known
 * already (a reading was ahead of the follower) changes nothing, and after a gap the state is let
 * go, to be read again. A stream that begins while it is followed is known from its beginning.
 */
export class LiveStates {
  readonly #known: LRUCache<string, LiveState>;
  /** Streams that do not exist stand apart: made-up ids must not push out what is in use. */
  readonly #absent: LRUCache<string, LiveState>;
  /** Streams that began while they were followed and were not asked for: most of them are soon, or never. */
  readonly #new: LRUCache<string, LiveState>;
  readonly #most: number;
  readonly #readings = new Map<string, Set<Reading>>();

  constructor({ states, bytes, absent, new: news }: LiveStateLimits = LIMITS) {
    this.#known = new LRUCache({
      maxSize: bytes,
      sizeCalculation: ({ state }) => weigh(state),
    });
    this.#absent = new LRUCache(upTo(absent));
    this.#new = new LRUCache(upTo(news));
    this.#most = states;
  }

  recall(streamName: string): LiveState | undefined {
    return this.#known.get(streamName) ?? this.#absent.get(streamName) ?? this.#takeUp(streamName);
  }

  /** Reading a stream begins: no event that goes by until `endReading` is lost. */
  beginReading(streamName: string): Reading {
    const reading = { seen: -1 };
    const others = this.#readings.get(streamName);
    if (others === undefined) this.#readings.set(streamName, new Set([reading]));
    else others.add(reading);
    return reading;
  }

  endReading(streamName: string, reading: Reading): void {
    const readings = this.#readings.get(streamName);
    readings?.delete(reading);
    if (readings?.size === 0) this.#readings.delete(streamName);
  }

  /**
   * Keeps what was read, unless more is known.
   *
   * @returns false where an event went by that the reading missed: the stream has to be read again.
   */
  keep(streamName: string, reading: Reading, read: LiveState): boolean {
    if (!read.isFrozen && read.revision < reading.seen) return false;
    const known = this.#peek(streamName);
    if (known === undefined || known.revision < read.revision) this.#set(streamName, read);
    return true;
  }

  /**
   * Takes on the stream of an event.
   *
   * @param takesNew whether a stream that begins is kept beside those that were asked for; else it is kept apart.
   */
  apply({ initialState, evolve }: AnyLiveDecider, item: FeedItem, takesNew = true): void {
    const { streamName, revision } = item;
    for (const reading of this.#readings.get(streamName) ?? []) reading.seen = revision;
    const known =
      this.#peek(streamName) ??
      (revision === 0 ? { ...NO_STREAM, state: initialState } : undefined);
    if (known === undefined || known.isFrozen || revision <= known.revision) return;
    const isApart = this.#new.has(streamName) || (!takesNew && !this.#isAskedFor(streamName));
    const keep = (live: LiveState): void => {
      if (isApart) this.#new.set(streamName, live);
      else this.#set(streamName, live);
    };
    if (revision > known.revision + 1) this.#forget(streamName);
    else if ('undecodable' in item) keep({ ...known, isFrozen: true });
    else {
      const before = known.revision === -1 ? initialState : known.state;
      // A stream of a category carries the events of that category only.
      const state =
        item.type === COMMAND_RECORDED ? before : evolve(before as never, item as never);
      keep({ state, revision, position: item.position, isFrozen: false });
    }
  }

  /** One that was kept apart is asked for: from now on it is kept as others are. */
  #takeUp(streamName: string): LiveState | undefined {
    const live = this.#new.get(streamName);
    if (live !== undefined) this.#set(streamName, live);
    return live;
  }

  #isAskedFor(streamName: string): boolean {
    return this.#known.has(streamName) || this.#absent.has(streamName);
  }

  #peek(streamName: string): LiveState | undefined {
    return (
      this.#known.peek(streamName) ?? this.#absent.peek(streamName) ?? this.#new.peek(streamName)
    );
  }

  #set(streamName: string, live: LiveState): void {
    this.#forget(streamName);
    (live.revision === -1 ? this.#absent : this.#known).set(streamName, live);
    if (this.#known.size > this.#most) this.#known.pop();
  }

  #forget(streamName: string): void {
    this.#known.delete(streamName);
    this.#absent.delete(streamName);
    this.#new.delete(streamName);
  }
}
