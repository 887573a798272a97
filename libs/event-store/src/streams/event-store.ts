import type { EventMetadata, Instant, Position, RecordedEvent } from '#domain/event';
import type { WantedStreams } from './stream-names.js';
import type { UndecodableItem } from './undecodable.js';

/** An event as it goes to the store. Its payload is plain JSON: no bigint, no Date, no undefined. */
export interface EventToAppend {
  /** A UUID. The same ids at the same expected revision make a repeated append harmless. */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: EventMetadata;
}

/** The revision that the stream's last event must have; `no_stream` when there must be none yet. */
export type ExpectedRevision = number | 'no_stream' | 'any';

export interface AppendResult {
  /** The revision of the last event appended. */
  readonly revision: number;
  /** The place of the last event appended in the store's total order. */
  readonly position: Position;
}

export interface ReadOptions {
  /** The first event to read, itself included; by default the first (or, backwards, the last) of the stream. */
  readonly fromRevision?: number;
  readonly maxCount?: number;
  readonly backwards?: boolean;
}

export interface SubscribeOptions extends WantedStreams {
  /** The position to start after; its event is not delivered again. `START` for all there is. */
  readonly after: Position;
  readonly signal: AbortSignal;
  /** The most that one batch holds. */
  readonly batchSize: number;
  /**
   * Whether the position goes on with every single event once live, also with those of other streams, as a wait for a
   * position needs it. It costs a message for each such event.
   */
  readonly tellsEveryPosition: boolean;
  /** Called when all that was in the store at the time of subscribing has been handled. */
  readonly onCaughtUp?: () => void;
}

export type FeedItem = RecordedEvent | UndecodableItem;

export interface EventBatch {
  /** In the store's order; empty when only events outside the filter went by. */
  readonly events: readonly FeedItem[];
  /** When these events are applied, everything up to here is: the position to resume after. */
  readonly upTo: Position;
}

/** The event store as this project uses it. Every call is bounded in time. */
export interface EventStore {
  /**
   * Appends all events or none, durably. An attempt of which the outcome is unknown is repeated
   * with the same ids at the same revision, which cannot double it; not so with `any`.
   *
   * @throws RevisionConflict when the stream is not at the expected revision.
   * @throws Fault `unavailable` (retryable; the outcome is unknown) or `refused`.
   */
  append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult>;

  /**
   * The events of a stream; none when there is no such stream.
   *
   * @throws UndecodableEvent, Fault `unavailable` or `refused`.
   */
  readStream(streamName: string, options?: ReadOptions): AsyncIterable<RecordedEvent>;

  /** The revision of the last event, -1 when there is none. @throws Fault as `readStream` does. */
  headRevision(streamName: string): Promise<number>;

  /**
   * The position of the last event of all, `START` in an empty store, as the leader sees it. A
   * checkpoint beyond it speaks of events that this store has lost. @throws Fault as `readStream` does.
   */
  headPosition(): Promise<Position>;

  /** Whether an event of any kind is at this position, as the leader sees it. @throws as `readStream`. */
  hasEventAt(position: Position): Promise<boolean>;

  /**
   * When the first event at this position, or behind it, was written, by the store's own clock; undefined where
   * there is none. A store that is a copy tells when it was copied. @throws Fault as `readStream` does.
   */
  findTime(position: Position): Promise<Instant | undefined>;

  /**
   * When the first event behind this position was written, as `findTime` tells it; undefined where it is the last one.
   *
   * @param after the position of an event, or `START`. @throws Fault as `readStream` does.
   */
  findTimeAfter(after: Position): Promise<Instant | undefined>;

  /**
   * Everything after a position, in order, then new events, as they come. The next batch is fetched when it is asked
   * for, and being asked for it means that the last one is applied. Ends only when `signal` is aborted.
   *
   * @throws Fault `unavailable` when the connection is lost: subscribe again (`runCatchUp` does).
   */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;

  /** Asks whether the store answers. @throws Fault `unavailable`. */
  ping(): Promise<void>;

  /** Ends all calls and closes the connection. */
  dispose(): Promise<void>;
}

/** The stream is not at the revision that the append expected. */
export class RevisionConflict extends Error {
  constructor(
    readonly streamName: string,
    /** Where the stream is, as far as the store said; -1 when there is no such stream. */
    readonly actual: number | undefined,
    /** An attempt before this one had an unknown outcome, so the events in the way may be our own. */
    readonly afterUnknownOutcome: boolean,
  ) {
    super(`${streamName} is at revision ${actual ?? 'unknown'}, another than expected`);
    this.name = 'RevisionConflict';
  }
}
