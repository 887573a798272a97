import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResult, ExpectedRevision } from '../../streams/event-store.js';
import type { StoreConnection } from '../connection/index.js';
import { toFault } from '../errors.js';
import type { LongCalls } from '../long-calls.js';
import { AppendConnection } from './append-connection.js';
import type { ProposedForm } from './append-request.js';

const BATCH_APPEND = {
  path: grpcStubs.StreamsService.batchAppend.path,
  read: (bytes: Buffer) => streams.BatchAppendResp.deserializeBinary(bytes),
};

/**
 * Appends over one BatchAppend call of the client's connection (decision 0005). The client's own `appendToStream` keeps
 * its pending appends in a table shared by the whole process, without a time limit; here every append has its limit,
 * and a broken call fails the appends sent over it, and nothing else.
 */
export class BatchAppender {
  #connection: Promise<AppendConnection> | undefined;

  constructor(
    private readonly store: StoreConnection,
    private readonly longCalls: LongCalls,
    private readonly attemptMs: number,
  ) {}

  /** One attempt. @throws RevisionConflict, or Fault: `unavailable` means that the outcome is unknown. */
  async append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly ProposedForm[],
  ): Promise<AppendResult> {
    this.#connection ??= this.#connect();
    const connection = await this.#connection;
    return connection.append(streamName, expected, events);
  }

  async #connect(): Promise<AppendConnection> {
    try {
      const call = await this.store.open(BATCH_APPEND, {
        // A follower that has no leader takes an append and never answers it; asked for the leader, it says so.
        requiresLeader: true,
        limitMs: this.attemptMs,
      });
      const endCall = this.longCalls.begin();
      return new AppendConnection(call, this.attemptMs, () => {
        endCall();
        this.#connection = undefined;
      });
    } catch (error) {
      this.#connection = undefined;
      throw toFault(error, 'connecting to the event store');
    }
  }
}
