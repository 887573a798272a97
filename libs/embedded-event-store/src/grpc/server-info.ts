import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { PERSISTENT_SUBSCRIPTION_FEATURES } from './persistent-subscriptions.js';

/** The version whose behaviour this server follows. */
export const FOLLOWED_VERSION = '24.10.4';

/** EventStoreDB counts time in ticks of 100 ns. */
const TICKS_PER_MS = 10_000;

type SupportedMethod = readonly [service: string, method: string, features?: readonly string[]];

const METHODS: readonly SupportedMethod[] = [
  ...PERSISTENT_SUBSCRIPTION_FEATURES,
  ['event_store.client.streams.streams', 'append'],
  ['event_store.client.streams.streams', 'batchappend', ['deadline_duration']],
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  ['event_store.client.streams.streams', 'delete'],
  ['event_store.client.streams.streams', 'tombstone'],
  ['event_store.client.gossip.gossip', 'read'],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods'],
];

/** `SupportedMethods`: the methods, and persistent subscriptions, which say that they are not there. */
export function encodeSupportedMethods(): Buffer {
  const supported = new features.SupportedMethods();
  supported.setEventStoreServerVersion(FOLLOWED_VERSION);
  for (const [serviceName, methodName, methodFeatures = []] of METHODS) {
    const method = new features.SupportedMethod();
    method.setServiceName(serviceName);
    method.setMethodName(methodName);
    method.setFeaturesList([...methodFeatures]);
    supported.addMethods(method);
  }
  return Buffer.from(supported.serializeBinary());
}

/** `ClusterInfo` with one member, this server, as the leader: `esdb+discover://` finds it. */
export function encodeClusterInfo(instanceId: string, host: string, port: number): Buffer {
  const id = new shared.UUID();
  id.setString(instanceId);
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress(host);
  endPoint.setPort(port);
  const member = new gossip.MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp(String(Date.now() * TICKS_PER_MS));
  member.setState(gossip.MemberInfo.VNodeState.LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const cluster = new gossip.ClusterInfo();
  cluster.addMembers(member);
  return Buffer.from(cluster.serializeBinary());
}
