import type { EventStoreDBClient } from '@eventstore/db-client';
import { status, type ServiceError } from '@grpc/grpc-js';
import type { Position } from '#domain/event';
import { Fault } from '#platform';
import type { Appends } from '../append.js';
import { toFault } from '../errors.js';
import type { AppendResult, ExpectedRevision } from '../../streams/event-store.js';
import { CONFIRMATION_MS } from '../../streams/limits.js';
import type { LongCalls } from '../long-calls.js';
import type { ReadAnswer } from '../read-answer.js';
import { ReadCall } from '../read-call.js';
import { followRequest, type StreamRead, streamRequest } from './read-requests.js';
import type { VerbatimEvent, VerbatimForm } from './verbatim-event.js';

/** What following brings: an event, how far was looked, or that all was there when it began has come. */
export type FollowedItem = Extract<ReadAnswer, { kind: 'event' | 'position' | 'caught-up' }>;

/** After so many events outside of the filter the store says how far it has looked. */
const SEARCH_WINDOW = 500;

/**
 * Events byte for byte, under stored names: for what moves them and understands nothing of them. The
 * client parses JSON, and what it prints again would be other bytes (decision 0014).
 */
export class VerbatimStreams {
  constructor(
    private readonly connection: {
      readonly client: EventStoreDBClient;
      readonly appends: Appends;
      readonly longCalls: LongCalls;
    },
  ) {}

  /**
   * Everything after a position in streams whose stored names match, truncated events included that the
   * store still holds; then what comes, until the signal is aborted.
   *
   * @throws Fault `unavailable` when the connection is lost.
   */
  async *follow(
    after: Position,
    regex: string,
    signal: AbortSignal,
  ): AsyncGenerator<FollowedItem, void, undefined> {
    const endCall = this.connection.longCalls.begin();
    const call = await this.#follow(followRequest(after, regex, SEARCH_WINDOW));
    const cancel = () => call.leave(true);
    signal.addEventListener('abort', cancel);
    try {
      let answers = await call.next(CONFIRMATION_MS);
      for (; answers.length > 0 && !signal.aborted; answers = await call.next(0)) {
        for (const answer of answers) if (isFollowed(answer)) yield answer;
      }
    } catch (error) {
      if (!signal.aborted) throw asFault(error, 'following the event store');
    } finally {
      endCall();
      signal.removeEventListener('abort', cancel);
      call.leave(true);
    }
  }

  /** Some events of a stream; none where there is no such stream. @throws Fault, `refused` for an ended one. */
  async readStream(streamName: string, read: StreamRead): Promise<VerbatimEvent[]> {
    try {
      const call = await ReadCall.open(this.connection.client, streamRequest(streamName, read));
      return await takeEvents(call);
    } catch (error) {
      throw asFault(error, `reading ${streamName}`);
    }
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
      if (error instanceof Error && isEnded(error.cause)) return true;
      throw error;
    }
  }

  #follow(request: Buffer): Promise<ReadCall> {
    return ReadCall.open(this.connection.client, request).catch((error: unknown) => {
      throw toFault(error, 'connecting to the event store');
    });
  }
}

function isFollowed(answer: ReadAnswer): answer is FollowedItem {
  return answer.kind === 'event' || answer.kind === 'position' || answer.kind === 'caught-up';
}

async function takeEvents(call: ReadCall): Promise<VerbatimEvent[]> {
  const events: VerbatimEvent[] = [];
  try {
    for (;;) {
      const answers = await call.next();
      if (answers.length === 0) return events;
      for (const answer of answers) if (answer.kind === 'event') events.push(answer.event);
    }
  } finally {
    call.leave(true);
  }
}

/** Calls that are made without the client's own functions fail with what gRPC says. */
function asFault(error: unknown, doing: string): Fault {
  const { code } = error as Partial<ServiceError>;
  const isDenied = code === status.PERMISSION_DENIED || code === status.UNAUTHENTICATED;
  if (!isDenied && !isEnded(error)) return toFault(error, doing);
  const { message } = toFault(error, doing);
  return new Fault('refused', message, { retryable: false, cause: error });
}

/** The client's own errors bear the words in their type, those of gRPC in a trailer. */
function isEnded(error: unknown): boolean {
  const { type, metadata } = error as Partial<ServiceError> & { readonly type?: unknown };
  return type === 'stream-deleted' || metadata?.get('exception')[0] === 'stream-deleted';
}
