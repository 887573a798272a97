import type { BaseOptions, EventStoreDBClient } from '@eventstore/db-client';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, Channel, ClientDuplexStream, Metadata } from '@grpc/grpc-js';

export type BatchStream = ClientDuplexStream<Buffer, BatchAppendResp>;

/** What the client's own modules use of it; `protected` hides it from TypeScript alone. */
export interface ClientInternals {
  /** Opens a stream on the present connection, and drops that connection when the stream breaks. */
  GRPCStreamCreator(
    stub: typeof StreamsClient,
    name: string,
    create: (client: StreamsClient) => BatchStream,
  ): () => Promise<BatchStream>;
  /** Metadata and options of a call, with the connection string's credentials. */
  callArguments(options: BaseOptions, callOptions: CallOptions): [Metadata, CallOptions];
  getChannel(): Promise<Channel>;
}

/** The same client, with its protected parts in sight (decision 0005). */
export function exposeInternals(client: EventStoreDBClient): ClientInternals {
  // The client's version is pinned exactly, and every integration test goes through these.
  return client as unknown as ClientInternals;
}
