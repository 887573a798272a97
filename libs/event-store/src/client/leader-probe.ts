/** The sign of life that a node is asked for: the smallest read, which a busy node answers before it has stored anything. */
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type Channel, type ServiceError, status } from '@grpc/grpc-js';
import type { ClientInternals } from './client-internals.js';
import { NAMESPACES_STREAM } from '../streams/namespaces.js';

export type ProbeOutcome =
  | { readonly kind: 'answered' }
  /** The node said that it does not lead, or cannot be asked now. */
  | { readonly kind: 'not_leader'; readonly error: ServiceError }
  /** The connection ended, or we ended the call. */
  | { readonly kind: 'lost' };

/** What a node that has no leader answers; its status is that of a node which is out of reach. */
const NOT_READY = /Server Is Not Ready|No leader info available/;

/** Whether an error's text says that a node serves nothing now: another one may. */
export function isNotReady(text: string): boolean {
  return NOT_READY.test(text);
}

/** Asks a node over one channel. Without a time limit: `ChannelWatch` ends the call with the others. */
export function probeNode(
  client: Pick<ClientInternals, 'callArguments'>,
  channel: Channel,
  requiresLeader: boolean,
): Promise<ProbeOutcome> {
  const stub = stubOver(channel);
  return new Promise((resolve) => {
    const call = stub.read(
      smallestRead(),
      ...client.callArguments({ requiresLeader }, { deadline: Infinity }),
    );
    call
      .on('data', () => undefined)
      .on('end', () => resolve({ kind: 'answered' }))
      .on('error', (error: ServiceError) => resolve(readOutcome(error)));
  });
}

/** With a channel of its own a stub needs neither address nor credentials. */
export function stubOver(channel: Channel): StreamsClient {
  return new StreamsClient('', null as never, { channelOverride: channel });
}

function readOutcome(error: ServiceError): ProbeOutcome {
  const isNotLeader = error.metadata.get('exception').includes('not-leader');
  if (isNotLeader || isNotReady(error.details)) return { kind: 'not_leader', error };
  const isLost = error.code === status.UNAVAILABLE || error.code === status.CANCELLED;
  return { kind: isLost ? 'lost' : 'answered' };
}

/** At most one event of a stream that every ledger has; whether it may be read does not matter. */
function smallestRead(): streams.ReadReq {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(NAMESPACES_STREAM));
  const stream = new streams.ReadReq.Options.StreamOptions();
  stream.setStreamIdentifier(identifier);
  stream.setEnd(new shared.Empty());
  const ids = new streams.ReadReq.Options.UUIDOption();
  ids.setString(new shared.Empty());
  const options = new streams.ReadReq.Options();
  options.setStream(stream);
  options.setReadDirection(streams.ReadReq.Options.ReadDirection.BACKWARDS);
  options.setCount('1');
  options.setUuidOption(ids);
  options.setNoFilter(new shared.Empty());
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
}
