/** The private parts of the official client that the ledger touches; README.md says why, and which tests notice a change. */
import type { BaseOptions, EventStoreDBClient } from '@eventstore/db-client';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { CallOptions, ChannelInterface, Metadata } from '@grpc/grpc-js';

/** The members that the client's own modules use; `protected` hides them from TypeScript alone. */
export interface ClientInternals {
  /** The stub of the present connection, which is made where there is none. */
  getGRPCClient(stub: typeof StreamsClient, name: string): Promise<StreamsClient>;
  /** Calls that are canceled when the client is disposed of. */
  readonly disposableStreams: Set<{ destroy(): void }>;
  /** Metadata and options of a call, with the connection string's credentials. */
  callArguments(options: BaseOptions, callOptions: CallOptions): [Metadata, CallOptions];
  getChannel(): Promise<ChannelInterface>;
  /** Drops the present connection after such an error of it, and asks next where the error points to. */
  handleError(stub: StreamsClient, error: Error): Promise<void>;
  /** The server's own features, asked once for each connection. */
  readonly capabilities: Promise<{ readonly serverVersion: string }>;
  /** Makes the channel of a connection; it is dialled with its first call. */
  createChannel: () => Promise<ChannelInterface>;
}

/** The same client, with its protected parts in sight (decision 0005). */
export function exposeInternals(client: EventStoreDBClient): ClientInternals {
  // The client's version is pinned exactly, and every integration test goes through these.
  return client as unknown as ClientInternals;
}
