import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { withTimeLimit } from '#platform';
import { AppendConnection } from './append-connection.js';
import { readAppendReply } from './append-reply.js';
import { toFault } from './errors.js';
import type { AppendResult, ExpectedRevision } from '../streams/event-store.js';
import type { LongCalls } from './long-calls.js';
import { openCall } from './open-call.js';
import type { StoredForm } from '../streams/stored-form.js';
import type { VerbatimForm } from './verbatim/verbatim-event.js';

/** A follower that has no leader takes an append and never answers it; asked for the leader, it says so. */
const LEADER = { requiresLeader: true };

/**
 * Appends over one BatchAppend call of the client's connection (decision 0005). The client's own
 * `appendToStream` keeps its pending appends in a table shared by the whole process, without a time
 * limit; here every append has its limit, and a broken call fails what was sent over it, and
 * nothing else.
 */
export class BatchAppender {
  readonly #client: EventStoreDBClient;
  readonly #longCalls: LongCalls;
  readonly #attemptMs: number;
  #connection: Promise<AppendConnection> | undefined;
  /** The same, once it is open. */
  #open: AppendConnection | undefined;

  constructor(client: EventStoreDBClient, longCalls: LongCalls, attemptMs: number) {
    this.#client = client;
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
    const connection = this.#open ?? (await this.#connectInTime());
    return connection.append(streamName, expected, events);
  }

  /** Looking for a leader among silent nodes may take longer than an attempt. */
  #connectInTime(): Promise<AppendConnection> {
    this.#connection ??= this.#connect();
    const what = 'the event store, asked for its leader,';
    return withTimeLimit(this.#connection, this.#attemptMs, what);
  }

  async #connect(): Promise<AppendConnection> {
    const { path } = grpcStubs.StreamsService.batchAppend;
    try {
      const call = await openCall(this.#client, { path, read: readAppendReply }, LEADER);
      const endCall = this.#longCalls.begin();
      const connection = new AppendConnection(call, this.#attemptMs, () => {
        endCall();
        this.#forget();
      });
      this.#open = connection;
      return connection;
    } catch (error) {
      this.#forget();
      throw toFault(error, 'connecting to the event store');
    }
  }

  #forget(): void {
    this.#connection = undefined;
    this.#open = undefined;
  }
}
