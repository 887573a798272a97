import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { Fault, withTimeLimit } from '#platform';
import { appendBytes } from './append-bytes.js';
import { isOfNodeNotReady, readCorrelationId, readReply } from './append-reply.js';
import { type BatchStream, type ClientInternals, exposeInternals } from './client-internals.js';
import { toFault } from './errors.js';
import type { AppendResult, ExpectedRevision } from './event-store.js';
import type { StoredForm } from './stored-form.js';
import type { VerbatimForm } from './verbatim/verbatim-event.js';
import type { LongCalls } from './long-calls.js';

/** A follower that has no leader takes an append and never answers it; asked for the leader, it says so. */
const LEADER = { requiresLeader: true };

/** A timer that is later than this was held up by our own event loop. */
const LATE_MS = 100;

interface Pending {
  readonly streamName: string;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
  dueAt: number;
  timer: NodeJS.Timeout;
}

/**
 * Appends over one BatchAppend stream of the client's connection (decision 0005). The client's own
 * `appendToStream` keeps its pending appends in a table shared by the whole process, without a time
 * limit; here every append has its limit, and a broken stream fails what was sent over it, and
 * nothing else.
 */
export class BatchAppender {
  readonly #client: ClientInternals;
  readonly #longCalls: LongCalls;
  readonly #attemptMs: number;
  #connection: Promise<AppendConnection> | undefined;

  constructor(client: EventStoreDBClient, longCalls: LongCalls, attemptMs: number) {
    this.#client = exposeInternals(client);
    this.#longCalls = longCalls;
    this.#attemptMs = attemptMs;
  }

  /**
   * One attempt.
   *
   * @throws RevisionConflict, or Fault: `unavailable` means that the outcome is unknown.
   */
  async append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly (StoredForm | VerbatimForm)[],
  ): Promise<AppendResult> {
    // Looking for a leader among silent nodes may take longer than an attempt.
    const connection = await withTimeLimit(
      this.#connect(),
      this.#attemptMs,
      'the event store, asked for its leader,',
    );
    return connection.append(streamName, expected, events);
  }

  #connect(): Promise<AppendConnection> {
    if (this.#connection !== undefined) return this.#connection;
    // A connection may report its end when the next one is there already.
    const forget = () => {
      if (this.#connection === connection) this.#connection = undefined;
    };
    const connection = this.#open(forget);
    this.#connection = connection;
    return connection;
  }

  async #open(forget: () => void): Promise<AppendConnection> {
    try {
      const create = this.#client.GRPCStreamCreator(
        grpcStubs.StreamsClient,
        'appendToStream',
        (stub) => {
          const [metadata, callOptions] = this.#client.callArguments(LEADER, {
            deadline: Infinity,
          });
          const { path, responseDeserialize } = grpcStubs.StreamsService.batchAppend;
          const asIs = (bytes: Buffer) => bytes;
          return stub.makeBidiStreamRequest(path, asIs, responseDeserialize, metadata, callOptions);
        },
      );
      const stream = await create();
      const endCall = this.#longCalls.begin();
      return new AppendConnection(stream, this.#attemptMs, () => {
        endCall();
        forget();
      });
    } catch (error) {
      forget();
      throw toFault(error, 'connecting to the event store');
    }
  }
}

/** One BatchAppend stream and the appends that wait for their answers on it. */
class AppendConnection {
  readonly #stream: BatchStream;
  readonly #attemptMs: number;
  readonly #pending = new Map<string, Pending>();
  #sent = 0;

  constructor(stream: BatchStream, attemptMs: number, onLost: () => void) {
    this.#stream = stream;
    this.#attemptMs = attemptMs;
    const lose = (error: unknown) => {
      onLost();
      this.#failAll(toFault(error, 'the connection for appends was lost'));
    };
    stream
      .on('data', (reply: BatchAppendResp) => this.#answer(reply))
      .on('error', lose)
      .on('end', () => {
        // A stream that ends in order leaves pending appends without an answer.
        stream.cancel();
        lose(new Error('the store ended it'));
      });
  }

  append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly (StoredForm | VerbatimForm)[],
  ): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const id = correlationId((this.#sent += 1));
      // What cannot be written as JSON throws here, before anything is pending.
      const request = appendBytes(id, streamName, expected, events, this.#attemptMs);
      const timer = setTimeout(() => this.#giveUp(id), this.#attemptMs);
      const dueAt = performance.now() + this.#attemptMs;
      this.#pending.set(id, { streamName, resolve, reject, timer, dueAt });
      // The number of appends in flight is bounded by our caller, so the buffer is, too.
      this.#stream.write(request);
    });
  }

  #answer(reply: BatchAppendResp): void {
    const pending = this.#settle(readCorrelationId(reply));
    // Another node leads, or will: the next attempt looks for it instead of asking here again.
    if (isOfNodeNotReady(reply)) this.#leave('the node is not ready');
    // The caller already got `unavailable`; ignore the late answer.
    if (pending === undefined) return;
    try {
      pending.resolve(readReply(reply, pending.streamName));
    } catch (error) {
      pending.reject(asError(error, pending.streamName));
    }
  }

  #giveUp(id: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (performance.now() - pending.dueAt > LATE_MS) {
      // Our own loop was blocked: the answer may be there, and is read before this comes again.
      pending.dueAt = performance.now() + LATE_MS;
      pending.timer = setTimeout(() => this.#giveUp(id), LATE_MS);
      return;
    }
    this.#settle(id);
    const message = `appending to ${pending.streamName}: no answer in ${this.#attemptMs} ms`;
    pending.reject(new Fault('unavailable', message, { retryable: true }));
  }

  /** Ends the call as a lost connection ends: the client drops its channel and looks for the leader. */
  #leave(why: string): void {
    this.#stream.call?.cancelWithStatus(status.UNAVAILABLE, why);
  }

  #failAll(fault: Fault): void {
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(fault);
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    return pending;
  }
}

/** It has to be unique within its stream only; its form is that of a UUID. */
function correlationId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

function asError(error: unknown, streamName: string): Error {
  return error instanceof Error ? error : toFault(error, `appending to ${streamName}`);
}
