import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Channel, Metadata } from '@grpc/grpc-js';
import { ChannelCall } from './channel-call.js';
import { type ClientInternals, exposeInternals } from './client-internals.js';
import { ConnectionCall } from './connection-call.js';
import type { TwoWayCall } from './incoming-answers.js';

export interface CallOptions {
  /** Asked for the leader, a node that is none says so; a follower may be behind. */
  readonly requiresLeader: boolean;
}

/** What is called, and how its answers are read from their bytes. */
export interface CalledMethod<Answer> {
  readonly path: string;
  readonly read: (bytes: Buffer) => Answer;
}

/**
 * Opens one call on the present connection, which the client drops when the call breaks.
 *
 * @param request all that is sent; without it the call stays open for what `send` is given.
 * @throws what the client throws.
 */
export async function openCall<Answer>(
  client: EventStoreDBClient,
  method: CalledMethod<Answer>,
  options: CallOptions,
  request?: Buffer,
): Promise<TwoWayCall<Answer>> {
  const internals = exposeInternals(client);
  const stub = await internals.getGRPCClient(grpcStubs.StreamsClient, method.path);
  const metadata = await callMetadata(internals, options);
  // The client makes its channels by the one class that there is.
  const channel = stub.getChannel() as Channel;
  const call: ConnectionCall<Answer> | undefined = ConnectionCall.begin(channel, {
    ...{ ...method, metadata, request },
    onEnd: (error) => {
      if (call) internals.disposableStreams.delete(call);
      if (error) void internals.handleError(stub, error).catch(() => undefined);
    },
  });
  if (!call) return openOnChannel(internals, stub, method, options, request);
  internals.disposableStreams.add(call);
  return call;
}

type Stub = Awaited<ReturnType<ClientInternals['getGRPCClient']>>;

/** Does as the client's own `GRPCStreamCreator`, without the listeners of every kind that cost a tenth of a read. */
function openOnChannel<Answer>(
  internals: ClientInternals,
  stub: Stub,
  { path, read }: CalledMethod<Answer>,
  options: CallOptions,
  request: Buffer | undefined,
): ChannelCall<Answer> {
  const [metadata, callOptions] = internals.callArguments(options, { deadline: Infinity });
  const asIs = (bytes: Buffer) => bytes;
  const call = stub.makeBidiStreamRequest(path, asIs, read, metadata, callOptions);
  // What is open is canceled when the client is disposed of.
  internals.disposableStreams.add(call);
  call
    .on('status', () => internals.disposableStreams.delete(call))
    .on('error', (error) => void internals.handleError(stub, error).catch(() => undefined));
  if (request !== undefined) call.end(request);
  return new ChannelCall(call);
}

/** What each call of a client says beside its request, as `callArguments` makes it each time. */
const metadataByClient = new WeakMap<ClientInternals, Map<boolean, Promise<Metadata>>>();

function callMetadata(client: ClientInternals, options: CallOptions): Promise<Metadata> {
  const all = metadataByClient.get(client) ?? new Map<boolean, Promise<Metadata>>();
  const known = all.get(options.requiresLeader) ?? makeMetadata(client, options);
  metadataByClient.set(client, all.set(options.requiresLeader, known));
  return known;
}

async function makeMetadata(client: ClientInternals, options: CallOptions): Promise<Metadata> {
  const [metadata, { credentials }] = client.callArguments(options, { deadline: Infinity });
  // The client's own writes name and password of the connection string, whatever is called.
  if (credentials) {
    metadata.merge(await credentials.generateMetadata({ service_url: '', method_name: '' }));
  }
  return metadata;
}
