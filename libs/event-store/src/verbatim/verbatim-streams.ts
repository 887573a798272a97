import type { EventStoreDBClient } from '@eventstore/db-client';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ClientReadableStream, status, type ServiceError } from '@grpc/grpc-js';
import type { Position } from '#domain/event';
import { Fault, withTimeLimit } from '#platform';
import type { Appends } from '../append.js';
import { toFault } from '../errors.js';
import type { AppendResult, ExpectedRevision } from '../event-store.js';
import { CONFIRMATION_MS } from '../limits.js';
import type { LongCalls } from '../long-calls.js';
import { toPosition } from '../position.js';
import { openReadCall, ReadCall } from '../read-call.js';
import { followRequest, type StreamRead, streamRequest } from './read-requests.js';
import { readVerbatim, type VerbatimEvent, type VerbatimForm } from './verbatim-event.js';

/** What following brings: an event, how far was looked, or that all was there when it began has come. */
export type FollowedItem =
  | { readonly kind: 'event'; readonly event: VerbatimEvent }
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'caught-up' };

/** Of the event that ends a stream for good. */
export const STREAM_ENDED = '$streamDeleted';

/**
 * Events byte for byte, under stored names: for what moves them and understands nothing of them. The
 * client parses JSON, and what it prints again would be other bytes (decision 0090).
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
    const call = await this.#follow(followRequest(after, regex));
    const cancel = () => call.cancel();
    signal.addEventListener('abort', cancel);
    try {
      if (signal.aborted) return;
      const replies = call[Symbol.asyncIterator]() as AsyncIterator<ReadResp>;
      let next = await withTimeLimit(replies.next(), CONFIRMATION_MS, 'the event store');
      for (; next.done !== true; next = await replies.next()) {
        const item = toItem(next.value);
        if (item !== undefined) yield item;
      }
    } catch (error) {
      if (!signal.aborted) throw asFault(error, 'following the event store');
    } finally {
      endCall();
      signal.removeEventListener('abort', cancel);
      leave(call);
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

  #follow(request: Buffer): Promise<ClientReadableStream<ReadResp>> {
    return openReadCall(this.connection.client, request).catch((error: unknown) => {
      throw toFault(error, 'connecting to the event store');
    });
  }
}

async function takeEvents(call: ReadCall): Promise<VerbatimEvent[]> {
  const events: VerbatimEvent[] = [];
  try {
    for (;;) {
      const answers = await call.next();
      if (answers.length === 0) return events;
      for (const answer of answers) {
        const event = answer.getEvent()?.getEvent();
        if (event !== undefined) events.push(readVerbatim(event));
      }
    }
  } finally {
    call.leave(true);
  }
}

function toItem(reply: ReadResp): FollowedItem | undefined {
  const event = reply.getEvent()?.getEvent();
  if (event !== undefined) return { kind: 'event', event: readVerbatim(event) };
  const checkpoint = reply.getCheckpoint();
  if (checkpoint !== undefined) {
    const [commit, prepare] = [checkpoint.getCommitPosition(), checkpoint.getPreparePosition()];
    const position = toPosition({ commit: BigInt(commit), prepare: BigInt(prepare) });
    return { kind: 'position', position };
  }
  return reply.hasCaughtUp() ? { kind: 'caught-up' } : undefined;
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

/** Errors after we left are of no interest; without a listener they would end the process. */
function leave(call: ClientReadableStream<ReadResp>): void {
  call.on('error', () => undefined);
  call.cancel();
}
