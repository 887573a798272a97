import type { EventStoreDBClient } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { withTimeLimit } from '#platform';
import { exposeInternals } from '../client-internals.js';
import { toFault } from '../errors.js';
import { READ_IDLE_MS } from '../../streams/limits.js';

const { LEADER, MANAGER } = gossip.MemberInfo.VNodeState;

/** A node that holds events, whether or not it answers now. */
export interface ClusterMember {
  /** Host and port, as it announces itself to clients. */
  readonly address: string;
  readonly isLeader: boolean;
}

/** The nodes of a store, as the one that the connection leads to knows them. @throws Fault. */
export async function readClusterMembers(client: EventStoreDBClient): Promise<ClusterMember[]> {
  const channelOverride = await exposeInternals(client).getChannel();
  // With a channel of its own the stub needs neither address nor credentials.
  const stub = new GossipClient('', null as never, { channelOverride });
  const cluster = new Promise<gossip.ClusterInfo>((resolve, reject) => {
    stub.read(new shared.Empty(), (error, info) => {
      if (error) reject(toFault(error, 'asking for the nodes'));
      else resolve(info);
    });
  });
  const { membersList } = (
    await withTimeLimit(cluster, READ_IDLE_MS, 'the event store')
  ).toObject();
  return membersList
    .filter(({ state }) => state !== MANAGER)
    .map(({ state, isAlive, httpEndPoint: { address, port } = { address: '', port: 0 } }) => ({
      address: `${address}:${port}`,
      isLeader: isAlive && state === LEADER,
    }));
}
