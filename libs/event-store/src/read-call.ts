import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Channel, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { withTimeLimit } from '#platform';
import type { Answers } from './answers.js';
import { ChannelAnswers } from './channel-answers.js';
import { type ClientInternals, exposeInternals } from './client-internals.js';
import { ConnectionCall } from './connection-call.js';
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

/** A read on the present connection, which the client drops when the call breaks. @throws what the client throws. */
async function openAnswers(
  client: EventStoreDBClient,
  request: Buffer,
): Promise<Answers<ReadResp>> {
  const internals = exposeInternals(client);
  const stub = await internals.getGRPCClient(grpcStubs.StreamsClient, 'read');
  const { path, responseDeserialize: read } = grpcStubs.StreamsService.read;
  const metadata = await readMetadata(internals);
  // The client makes its channels by the one class that there is.
  const channel = stub.getChannel() as Channel;
  const call: ConnectionCall<ReadResp> | undefined = ConnectionCall.begin(channel, {
    ...{ path, metadata, request, read },
    onEnd: (error) => {
      if (call) internals.disposableStreams.delete(call);
      if (error) void internals.handleError(stub, error).catch(() => undefined);
    },
  });
  if (!call) return new ChannelAnswers(await openReadCall(client, request));
  internals.disposableStreams.add(call);
  return call;
}

/** What each read of a client says beside its request, as `callArguments` makes it each time. */
const metadataByClient = new WeakMap<ClientInternals, Promise<Metadata>>();

function readMetadata(client: ClientInternals): Promise<Metadata> {
  const known = metadataByClient.get(client) ?? makeMetadata(client);
  metadataByClient.set(client, known);
  return known;
}

async function makeMetadata(client: ClientInternals): Promise<Metadata> {
  const [metadata, { credentials }] = client.callArguments(LEADER, { deadline: Infinity });
  // The client's own writes name and password of the connection string, whatever is called.
  if (credentials)
    metadata.merge(await credentials.generateMetadata({ service_url: '', method_name: '' }));
  return metadata;
}

/**
 * One call of `Streams/Read` whose answers are taken as they have come, several at once: the client's own stream
 * passes each through a second one, with a wait for each, which took a third of a read (decision 0005).
 */
export class ReadCall {
  #wake: () => void = () => undefined;

  /** @throws what the client throws, or Fault where the store does not answer in time. */
  static async open(client: EventStoreDBClient, request: Buffer): Promise<ReadCall> {
    const opening = openAnswers(client, request);
    try {
      return new ReadCall(await withTimeLimit(opening, READ_IDLE_MS, 'the event store'));
    } catch (error) {
      // A connection that is found too late must not keep a call that serves nothing.
      opening.then((answers) => new ReadCall(answers).leave(true)).catch(() => undefined);
      throw error;
    }
  }

  private constructor(private readonly answers: Answers<ReadResp>) {
    answers.onChange = () => this.#wake();
  }

  /** What has come since, at least one answer; none when the call has ended. @throws as `open`. */
  async next(): Promise<readonly ReadResp[]> {
    for (;;) {
      const answers = this.answers.take();
      if (answers.length > 0) return answers;
      if (this.answers.error !== undefined) throw this.answers.error;
      if (this.answers.hasEnded) return [];
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
    if (this.answers.hasEnded || this.answers.error !== undefined) return;
    // Within the turn that made it, grpc-js takes no cancel.
    if (hasMore) setImmediate(() => this.answers.cancel());
    this.answers.drop();
  }
}
