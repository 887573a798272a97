import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { withTimeLimit } from '#platform';
import { exposeInternals } from './client-internals.js';
import { READ_IDLE_MS } from './limits.js';

/** Asked for the leader, a node that is none says so; a follower may be behind. */
const LEADER = { requiresLeader: true };

/**
 * Opens one call of `Streams/Read` on the present connection, which the client drops when the call breaks. It does
 * as the client's own `GRPCStreamCreator`, without the listeners of every kind that cost a tenth of a read.
 *
 * @throws what the client throws.
 */
export async function openReadCall(
  client: EventStoreDBClient,
  request: Buffer,
): Promise<ClientReadableStream<ReadResp>> {
  const internals = exposeInternals(client);
  const stub = await internals.getGRPCClient(grpcStubs.StreamsClient, 'read');
  const { path, responseDeserialize } = grpcStubs.StreamsService.read;
  const [metadata, options] = internals.callArguments(LEADER, { deadline: Infinity });
  const asIs = (bytes: Buffer) => bytes;
  const call = stub.makeServerStreamRequest(
    path,
    asIs,
    responseDeserialize,
    request,
    metadata,
    options,
  );
  // What is open is canceled when the client is disposed of.
  internals.disposableStreams.add(call);
  return call
    .on('status', () => internals.disposableStreams.delete(call))
    .on('error', (error) => void internals.handleError(stub, error).catch(() => undefined));
}

/**
 * One call of `Streams/Read` whose answers are taken as they have come, several at once: the client's own stream
 * passes each through a second one, with a wait for each, which took a third of a read (decision 0005).
 */
export class ReadCall {
  #error: Error | undefined;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  /** @throws what the client throws, or Fault where the store does not answer in time. */
  static async open(client: EventStoreDBClient, request: Buffer): Promise<ReadCall> {
    const opening = openReadCall(client, request);
    try {
      return new ReadCall(await withTimeLimit(opening, READ_IDLE_MS, 'the event store'));
    } catch (error) {
      // A connection that is found too late must not keep a call that serves nothing.
      opening.then((call) => new ReadCall(call).leave(true)).catch(() => undefined);
      throw error;
    }
  }

  private constructor(private readonly call: ClientReadableStream<ReadResp>) {
    call
      .on('readable', () => this.#wake())
      .on('end', () => {
        this.#hasEnded = true;
        this.#wake();
      })
      .on('error', (error) => {
        this.#error = error;
        this.#wake();
      });
  }

  /** What has come since, at least one answer; none when the call has ended. @throws as `open`. */
  async next(): Promise<readonly ReadResp[]> {
    for (;;) {
      const answers = this.#take();
      if (answers.length > 0) return answers;
      if (this.#error !== undefined) throw this.#error;
      if (this.#hasEnded) return [];
      const change = new Promise<void>((resolve) => (this.#wake = resolve));
      await withTimeLimit(change, READ_IDLE_MS, 'the event store');
    }
  }

  /**
   * To be called in the end, whatever was read. A call of which more is to come has to be cancelled. One that
   * the store is about to end anyway is not: a cancelled call is answered all the same, and Node ends a
   * connection after a thousand frames that came too late.
   */
  leave(hasMore: boolean): void {
    if (this.#hasEnded || this.#error !== undefined) return;
    // Within the turn that made it, grpc-js takes no cancel.
    if (hasMore) setImmediate(() => this.call.cancel());
    // Destroyed, it would leave unread what is under way, and the call would never end.
    this.call.removeAllListeners('readable').resume();
  }

  #take(): ReadResp[] {
    const answers: ReadResp[] = [];
    for (;;) {
      const answer = this.call.read() as ReadResp | null;
      if (answer === null) return answers;
      answers.push(answer);
    }
  }
}
