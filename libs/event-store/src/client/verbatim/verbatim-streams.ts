import { ErrorType, type EventStoreDBClient, isCommandError } from '@eventstore/db-client';
import type { Position } from '#domain/event';
import { Fault } from '#platform';
import type { AppendResult, ExpectedRevision } from '../../streams/event-store.js';
import { CALL_IDLE_MS } from '../../streams/limits.js';
import type { Appends } from '../append/index.js';
import type { StoreConnection } from '../connection/index.js';
import { toFault } from '../errors.js';
import type { LongCalls } from '../long-calls.js';
import { followRequest, type StreamRead, streamRequest } from '../read-requests.js';
import {
  collectEvents,
  nextAnswers,
  openRead,
  type ReadAnswer,
  type ReadCall,
} from '../read/index.js';
import type { StoredEvent, VerbatimForm } from '../../streams/stored-event.js';

/** The items of following: an event, how far was looked, or that all events of before have come. */
export type FollowedItem = Extract<ReadAnswer, { kind: 'event' | 'position' | 'caught-up' }>;

/** After so many events outside of the filter the store says how far it has looked. */
const SEARCH_WINDOW = 500;

/**
 * Events byte for byte, under stored names: for programs that move them and understand nothing of them. The client
 * parses JSON, and would print other bytes (decision 0014).
 */
export class VerbatimStreams {
  constructor(
    private readonly connection: {
      readonly client: EventStoreDBClient;
      readonly store: StoreConnection;
      readonly appends: Appends;
      readonly longCalls: LongCalls;
    },
  ) {}

  /**
   * Everything after a position in streams whose stored names match, truncated events included that the store still
   * holds; then new ones, until the signal is aborted.
   *
   * @throws Fault `unavailable` when the connection is lost.
   */
  async *follow(
    after: Position,
    regex: string,
    signal: AbortSignal,
  ): AsyncGenerator<FollowedItem, void, undefined> {
    const endCall = this.connection.longCalls.begin();
    let call: ReadCall | undefined;
    const cancel = () => call?.leave(true);
    signal.addEventListener('abort', cancel);
    try {
      const request = followRequest(after, regex, SEARCH_WINDOW);
      const options = { request, requiresLeader: true, limitMs: CALL_IDLE_MS };
      call = await openRead(this.connection.store, options);
      let answers = await nextAnswers(call, CALL_IDLE_MS);
      for (; answers.length > 0 && !signal.aborted; answers = await nextAnswers(call, 0)) {
        for (const answer of answers) if (isFollowed(answer)) yield answer;
      }
    } catch (error) {
      if (!signal.aborted) throw toFault(error, 'following the event store');
    } finally {
      endCall();
      signal.removeEventListener('abort', cancel);
      cancel();
    }
  }

  /** Some events of a stream; none where there is no such stream. @throws Fault, `refused` for an ended one. */
  readStream(streamName: string, read: StreamRead): Promise<StoredEvent[]> {
    const request = streamRequest(streamName, read);
    const doing = `reading ${streamName}`;
    return collectEvents(this.connection.store, { request, maxCount: read.maxCount, doing });
  }

  /** See `EventStore.append`. */
  append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly VerbatimForm[],
  ): Promise<AppendResult> {
    return this.connection.appends.append(streamName, expected, events);
  }

  /** Ends a stream for good; one that has ended stays so. @throws Fault. */
  async tombstone(streamName: string): Promise<void> {
    try {
      await this.connection.client.tombstoneStream(streamName);
    } catch (error) {
      if (isEnded(error)) return;
      throw toFault(error, `ending ${streamName}`);
    }
  }

  /** Whether a stream was ended for good. @throws Fault. */
  async isTombstoned(streamName: string): Promise<boolean> {
    try {
      await this.readStream(streamName, { maxCount: 1 });
      return false;
    } catch (error) {
      if (error instanceof Fault && isEnded(error.cause)) return true;
      throw error;
    }
  }
}

function isFollowed(answer: ReadAnswer): answer is FollowedItem {
  return answer.kind === 'event' || answer.kind === 'position' || answer.kind === 'caught-up';
}

function isEnded(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.type === ErrorType.STREAM_DELETED;
}
