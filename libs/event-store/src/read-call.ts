import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Channel, Metadata } from '@grpc/grpc-js';
import { withTimeLimit } from '#platform';
import { type IncomingAnswers, leaveCall } from './incoming-answers.js';
import { ChannelAnswers } from './channel-answers.js';
import { type ClientInternals, exposeInternals } from './client-internals.js';
import { ConnectionCall } from './connection-call.js';
import { READ_IDLE_MS } from './limits.js';
import { type ReadAnswer, readAnswer } from './read-answer.js';

export interface ReadCallOptions {
  /** Asked for the leader, a node that is none says so; a follower may be behind. */
  readonly requiresLeader: boolean;
}

/**
 * Opens one call of `Streams/Read` on the present connection, which the client drops when the call breaks.
 *
 * @throws what the client throws.
 */
export async function openAnswers(
  client: EventStoreDBClient,
  request: Buffer,
  options: ReadCallOptions,
): Promise<IncomingAnswers<ReadAnswer>> {
  const internals = exposeInternals(client);
  const stub = await internals.getGRPCClient(grpcStubs.StreamsClient, 'read');
  const { path } = grpcStubs.StreamsService.read;
  const metadata = await readMetadata(internals, options);
  // The client makes its channels by the one class that there is.
  const channel = stub.getChannel() as Channel;
  const call: ConnectionCall<ReadAnswer> | undefined = ConnectionCall.begin(channel, {
    ...{ path, metadata, request, read: readAnswer },
    onEnd: (error) => {
      if (call) internals.disposableStreams.delete(call);
      if (error) void internals.handleError(stub, error).catch(() => undefined);
    },
  });
  if (!call) return openOnChannel(internals, stub, request, options);
  internals.disposableStreams.add(call);
  return call;
}

type Stub = Awaited<ReturnType<ClientInternals['getGRPCClient']>>;

/** Does as the client's own `GRPCStreamCreator`, without the listeners of every kind that cost a tenth of a read. */
function openOnChannel(
  internals: ClientInternals,
  stub: Stub,
  request: Buffer,
  options: ReadCallOptions,
): IncomingAnswers<ReadAnswer> {
  const { path } = grpcStubs.StreamsService.read;
  const [metadata, callOptions] = internals.callArguments(options, { deadline: Infinity });
  const asIs = (bytes: Buffer) => bytes;
  const call = stub.makeServerStreamRequest(path, asIs, readAnswer, request, metadata, callOptions);
  // What is open is canceled when the client is disposed of.
  internals.disposableStreams.add(call);
  call
    .on('status', () => internals.disposableStreams.delete(call))
    .on('error', (error) => void internals.handleError(stub, error).catch(() => undefined));
  return new ChannelAnswers(call);
}

/** What each call of a client says beside its request, as `callArguments` makes it each time. */
const metadataByClient = new WeakMap<ClientInternals, Map<boolean, Promise<Metadata>>>();

function readMetadata(client: ClientInternals, options: ReadCallOptions): Promise<Metadata> {
  const all = metadataByClient.get(client) ?? new Map<boolean, Promise<Metadata>>();
  const known = all.get(options.requiresLeader) ?? makeMetadata(client, options);
  metadataByClient.set(client, all.set(options.requiresLeader, known));
  return known;
}

async function makeMetadata(client: ClientInternals, options: ReadCallOptions): Promise<Metadata> {
  const [metadata, { credentials }] = client.callArguments(options, { deadline: Infinity });
  // The client's own writes name and password of the connection string, whatever is called.
  if (credentials) {
    metadata.merge(await credentials.generateMetadata({ service_url: '', method_name: '' }));
  }
  return metadata;
}

/**
 * One call of `Streams/Read` whose answers are taken as they have come, several at once: the client's own stream
 * passes each through a second one, with a wait for each, which took a third of a read (decision 0005).
 */
export class ReadCall {
  #wake: () => void = () => undefined;

  /** Asks the leader. @throws what the client throws, or Fault where the store does not answer in time. */
  static async open(client: EventStoreDBClient, request: Buffer): Promise<ReadCall> {
    const opening = openAnswers(client, request, { requiresLeader: true });
    try {
      return new ReadCall(await withTimeLimit(opening, READ_IDLE_MS, 'the event store'));
    } catch (error) {
      // A connection that is found too late must not keep a call that serves nothing.
      opening.then((answers) => new ReadCall(answers).leave(true)).catch(() => undefined);
      throw error;
    }
  }

  private constructor(private readonly answers: IncomingAnswers<ReadAnswer>) {
    answers.onChange = () => this.#wake();
  }

  /**
   * What has come since, at least one answer; none when the call has ended.
   *
   * @param limitMs how long it may take until something comes; 0 for as long as it takes. @throws as `open`.
   */
  async next(limitMs = READ_IDLE_MS): Promise<readonly ReadAnswer[]> {
    for (;;) {
      const answers = this.answers.take();
      if (answers.length > 0) return answers;
      if (this.answers.error !== undefined) throw this.answers.error;
      if (this.answers.hasEnded) return [];
      const change = new Promise<void>((resolve) => (this.#wake = resolve));
      await (limitMs === 0 ? change : withTimeLimit(change, limitMs, 'the event store'));
    }
  }

  /** To be called in the end, whatever was read: see `leaveCall`. */
  leave(hasMore: boolean): void {
    leaveCall(this.answers, hasMore);
  }
}
