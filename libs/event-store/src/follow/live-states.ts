import { COMMAND_RECORDED, type Position } from '#domain/event';
import { AggregateCache } from '../commands/aggregate-cache.js';
import type { FeedItem } from '../streams/event-store.js';
import { LIVE_ABSENT_STREAMS, LIVE_STATE_BYTES, LIVE_STATES } from '../streams/limits.js';

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

/** A stream before its first event; the state is its aggregate's initial one. */
const NO_STREAM = { revision: -1, position: null, isFrozen: false } as const;

/** How much is kept; each bound lets go of the states that were asked for longest ago. */
export interface LiveStateLimits {
  readonly states: number;
  readonly bytes: number;
  readonly absent: number;
}

const LIMITS: LiveStateLimits = {
  states: LIVE_STATES,
  bytes: LIVE_STATE_BYTES,
  absent: LIVE_ABSENT_STREAMS,
};

/** The functions of a decider that fold a state. */
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
 * States by the names of their streams, bounded, each taken on by the events that go by (rules/events 11). A stream that
 * begins while it is followed is known from its beginning.
 */
export class LiveStates {
  readonly #known: AggregateCache<LiveState>;
  /** Streams that do not exist stand apart: made-up ids must not push out used ones. */
  readonly #absent: AggregateCache<LiveState>;
  readonly #readings = new Map<string, Set<Reading>>();

  constructor({ states, bytes, absent }: LiveStateLimits = LIMITS) {
    const weighed = { max: bytes, of: ({ state }: LiveState) => weigh(state) };
    this.#known = new AggregateCache({ max: states, bytes: weighed });
    this.#absent = new AggregateCache({ max: absent });
  }

  recall(streamName: string): LiveState | undefined {
    return this.#known.get(streamName) ?? this.#absent.get(streamName);
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
   * Keeps a read state, unless a newer one is known.
   *
   * @returns false where an event went by that the reading missed: the stream has to be read again.
   */
  keep(streamName: string, reading: Reading, read: LiveState): boolean {
    if (!read.isFrozen && read.revision < reading.seen) return false;
    const isThere = read.revision > -1 || this.#known.peek(streamName) !== undefined;
    if (isThere) this.#absent.forget(streamName);
    (isThere ? this.#known : this.#absent).keep(streamName, read);
    return true;
  }

  /** Takes on the stream of an event. */
  apply({ initialState, evolve }: AnyLiveDecider, item: FeedItem): void {
    const { streamName, revision, position } = item;
    for (const reading of this.#readings.get(streamName) ?? []) reading.seen = revision;
    const known = this.#known.peek(streamName) ?? this.#absent.peek(streamName);
    if (known?.isFrozen === true) return;
    this.#absent.forget(streamName);
    this.#known.follow(item, { ...NO_STREAM, state: initialState }, (before) => {
      if ('undecodable' in item) return { ...before, isFrozen: true };
      // A stream of a category carries the events of that category only.
      const state =
        item.type === COMMAND_RECORDED
          ? before.state
          : evolve(before.state as never, item as never);
      return { state, revision, position, isFrozen: false };
    });
  }
}

/** Of each value: the bytes for its kind and length. */
const OVERHEAD_BYTES = 2;
const NUMBER_BYTES = 8;

/**
 * About how many bytes plain data take, to within a factor of two of V8's form of them. To have it written for its
 * length costs eight times as much, and a buffer beside V8's heap for each state that is kept.
 */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD_BYTES + value.length;
  if (typeof value === 'number') return OVERHEAD_BYTES + NUMBER_BYTES;
  if (typeof value !== 'object' || value === null) return OVERHEAD_BYTES;
  let bytes = OVERHEAD_BYTES;
  if (value instanceof Map || value instanceof Set) {
    for (const part of value as Iterable<unknown>) bytes += weigh(part);
  } else {
    for (const [name, part] of Object.entries(value)) bytes += weigh(name) + weigh(part);
  }
  return bytes;
}
