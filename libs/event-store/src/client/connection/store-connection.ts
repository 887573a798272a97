import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { Fault, withTimeLimit } from '#platform';
import { type ClientInternals, exposeInternals } from '../client-internals.js';
import { probeNode, type WatchedChannel } from '../failover/index.js';
import { type CalledMethod, ConnectionCall, type StoreCall } from './connection-call.js';

export interface CallOptions {
  /** Asked for the leader, a node that is none says so; a follower may be behind. */
  readonly requiresLeader: boolean;
  /** How long it may take until there is a connection. */
  readonly limitMs: number;
  /** All that is sent; without it the call stays open for more messages. */
  readonly request?: Buffer;
  /** Answers that may wait to be taken: as many as the caller takes at once. */
  readonly untaken?: number;
}

type Stub = Awaited<ReturnType<ClientInternals['getGRPCClient']>>;

/** The present connection of a client, on which calls are opened (decision 0005). */
export class StoreConnection {
  readonly #client: ClientInternals;

  constructor(client: EventStoreDBClient) {
    this.#client = exposeInternals(client);
  }

  /**
   * Opens one call. The client drops the connection when the call breaks, and cancels the call when it is disposed of.
   *
   * @throws the client's error, the gRPC error of a connection that does not come about, or Fault.
   */
  async open<Answer>(
    method: CalledMethod<Answer>,
    options: CallOptions,
  ): Promise<StoreCall<Answer>> {
    const opening = this.#open(method, options);
    try {
      return await withTimeLimit(opening, options.limitMs, 'the event store');
    } catch (error) {
      // A connection that is found too late must not keep a call that serves nothing.
      opening.then((call) => call.leave(true)).catch(() => undefined);
      throw error;
    }
  }

  async #open<Answer>(
    method: CalledMethod<Answer>,
    options: CallOptions,
  ): Promise<StoreCall<Answer>> {
    const stub = await this.#client.getGRPCClient(grpcStubs.StreamsClient, method.path);
    const metadata = await this.#metadata(options);
    const begin = () => this.#begin(stub, method, metadata, options);
    const call = begin() ?? (await this.#dial(stub, options.requiresLeader).then(begin));
    if (call !== undefined) return call;
    throw new Fault('unavailable', 'the event store was lost again', { retryable: true });
  }

  /** The headers of each call, with the connection string's credentials. */
  async #metadata({ requiresLeader }: CallOptions): Promise<Metadata> {
    const unlimited = { deadline: Infinity };
    const [metadata, { credentials }] = this.#client.callArguments({ requiresLeader }, unlimited);
    if (credentials === undefined) return metadata;
    // The client's own writes name and password, whatever is called.
    metadata.merge(await credentials.generateMetadata({ service_url: '', method_name: '' }));
    return metadata;
  }

  #begin<Answer>(
    stub: Stub,
    method: CalledMethod<Answer>,
    metadata: Metadata,
    { request, untaken }: CallOptions,
  ): ConnectionCall<Answer> | undefined {
    const { disposableStreams } = this.#client;
    const call: ConnectionCall<Answer> | undefined = ConnectionCall.begin(presentChannel(stub), {
      ...{ ...method, metadata, request, untaken },
      onEnd: (error) => {
        if (call) disposableStreams.delete(call);
        if (error) this.#leave(stub, error);
      },
    });
    if (call) disposableStreams.add(call);
    return call;
  }

  /** Asks the node for a sign of life, for which the channel dials, and names the error. */
  async #dial(stub: Stub, requiresLeader: boolean): Promise<void> {
    const outcome = await probeNode(this.#client, presentChannel(stub), requiresLeader);
    if (outcome.kind === 'answered') return;
    this.#leave(stub, outcome.error);
    throw outcome.error;
  }

  /** Has the client leave a connection whose error says so. */
  #leave(stub: Stub, error: ServiceError): void {
    void this.#client.handleError(stub, error).catch(() => undefined);
  }
}

/** The client has no other channels than those that `createClient` makes. */
function presentChannel(stub: Stub): WatchedChannel {
  return stub.getChannel() as WatchedChannel;
}
