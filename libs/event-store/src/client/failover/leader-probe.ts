/** The sign of life that a node is asked for: the smallest read, which a busy node answers before it has stored anything. */
import grpcStubs, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type ChannelInterface, type ServiceError, status } from '@grpc/grpc-js';
import type { ClientInternals } from '../client-internals.js';
import { NAMESPACES_STREAM } from '../../streams/namespaces.js';
import { streamRequest } from '../read-requests.js';

export type ProbeOutcome =
  | { readonly kind: 'answered' }
  /** The node said that it does not lead, or cannot be asked now. */
  | { readonly kind: 'not_leader'; readonly error: ServiceError }
  /** There is no connection, it ended, or we ended the call. */
  | { readonly kind: 'lost'; readonly error: ServiceError };

/** The answer of a node without a leader; its status is that of a node which is out of reach. */
const NOT_READY = /Server Is Not Ready|No leader info available/;

/** At most one event of a stream that every ledger has; whether it may be read does not matter. */
const SMALLEST_READ = streamRequest(NAMESPACES_STREAM, { maxCount: 1, backwards: true });

/** Whether an error's text says that a node serves nothing now: another one may. */
export function isNotReady(text: string): boolean {
  return NOT_READY.test(text);
}

/** Asks a node over one channel. Without a time limit: `WatchedChannel` ends the call with the others. */
export function probeNode(
  client: Pick<ClientInternals, 'callArguments'>,
  channel: ChannelInterface,
  requiresLeader: boolean,
): Promise<ProbeOutcome> {
  const stub = stubOver(channel);
  return new Promise((resolve) => {
    const call = stub.makeServerStreamRequest(
      grpcStubs.StreamsService.read.path,
      asIs,
      asIs,
      SMALLEST_READ,
      ...client.callArguments({ requiresLeader }, { deadline: Infinity }),
    );
    call
      .on('data', () => undefined)
      .on('end', () => resolve({ kind: 'answered' }))
      .on('error', (error: ServiceError) => resolve(readOutcome(error)));
  });
}

/** With a channel of its own a stub needs neither address nor credentials. */
export function stubOver(channel: ChannelInterface): StreamsClient {
  return new grpcStubs.StreamsClient('', null as never, { channelOverride: channel });
}

const asIs = (bytes: Buffer) => bytes;

function readOutcome(error: ServiceError): ProbeOutcome {
  const isNotLeader = error.metadata.get('exception').includes('not-leader');
  if (isNotLeader || isNotReady(error.details)) return { kind: 'not_leader', error };
  const isLost = error.code === status.UNAVAILABLE || error.code === status.CANCELLED;
  return isLost ? { kind: 'lost', error } : { kind: 'answered' };
}
