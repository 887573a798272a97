import { randomUUID } from 'node:crypto';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { ClusterNode, type Role } from './cluster-node.js';
import { FrontDoor } from './front-door.js';

export interface Member {
  readonly door: FrontDoor;
  readonly node: ClusterNode;
}

/**
 * Nodes of a cluster, each behind a door of its own, before one store without TLS: events acknowledged at one node are
 * there at the next, as in a cluster with a majority. The test names the leader.
 */
export class FakeCluster {
  readonly members: Member[] = [];
  #leader = 0;

  static async before(storePort: number, size = 3): Promise<FakeCluster> {
    const cluster = new FakeCluster();
    const view = { leaderPort: () => cluster.leader.door.port, gossip: () => cluster.#gossip() };
    for (let number = 0; number < size; number += 1) {
      const node = await ClusterNode.before(storePort, view);
      cluster.members.push({ node, door: await FrontDoor.before(node.port) });
    }
    cluster.elect(0);
    return cluster;
  }

  get connectionString(): string {
    const hosts = this.members.map(({ door }) => `127.0.0.1:${door.port}`);
    return `esdb://${hosts.join(',')}?tls=false`;
  }

  get leader(): Member {
    return this.member(this.#leader);
  }

  member(number: number): Member {
    const member = this.members[number];
    if (member === undefined) throw new Error(`there is no member ${number}`);
    return member;
  }

  /** From now on this member leads, and the others say so. */
  elect(number: number): void {
    this.#leader = number;
    this.members.forEach(({ node }, at) => (node.role = at === number ? 'leader' : 'follower'));
  }

  /** The others behave so until one is elected; gossip names the old leader meanwhile. */
  others(role: Role): void {
    this.members.forEach(({ node }, at) => {
      if (at !== this.#leader) node.role = role;
    });
  }

  async stop(): Promise<void> {
    for (const { door, node } of this.members) {
      await door.shut();
      await node.stop();
    }
  }

  #gossip(): Buffer {
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
    const cluster = new gossip.ClusterInfo();
    this.members.forEach(({ door }, at) => {
      const id = new shared.UUID();
      id.setString(randomUUID());
      const endPoint = new gossip.EndPoint();
      endPoint.setAddress('127.0.0.1');
      endPoint.setPort(door.port);
      const info = new gossip.MemberInfo();
      info.setInstanceId(id);
      info.setState(at === this.#leader ? LEADER : FOLLOWER);
      info.setIsAlive(true);
      info.setHttpEndPoint(endPoint);
      cluster.addMembers(info);
    });
    return Buffer.from(cluster.serializeBinary());
  }
}
