import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { CallStatus } from '../failures.js';
import type { Scavenger } from '../scavenge/scavenger.js';
import type { CallHandler } from './grpc-server.js';
import { withRequest } from './services.js';
import { GrpcCode } from './status.js';

/**
 * Persistent subscriptions are not supported and are refused (rules/protocol 9). They are listed
 * all the same: a client that does not find them among the server's features asks the HTTP
 * interface of an older node instead, and fails on an answer that is not HTTP.
 */
const REFUSED_METHODS = [
  'Create',
  'Update',
  'Delete',
  'GetInfo',
  'ReplayParked',
  'List',
  'RestartSubsystem',
  'Read',
] as const;

const SERVICE_NAME = 'event_store.client.persistent_subscriptions.PersistentSubscriptions';

const NOT_HERE: CallStatus = {
  code: GrpcCode.UNIMPLEMENTED,
  details:
    'The embedded event store has no persistent subscriptions: subscribe to a stream or to $all ' +
    'and keep the checkpoint, or use an EventStoreDB node.',
};

/** Refuses every method at once with UNIMPLEMENTED. */
export const persistentSubscriptionHandlers = REFUSED_METHODS.map(
  (name): [path: string, handler: CallHandler] => [
    `/${SERVICE_NAME}/${name}`,
    (call) => call.fail(NOT_HERE),
  ],
);

/** The methods with the features that make clients call them instead of the HTTP interface. */
const PERSISTENT_SUBSCRIPTION_FEATURES = REFUSED_METHODS.map(
  (name) => [SERVICE_NAME.toLowerCase(), name.toLowerCase(), ['stream', 'all']] as const,
);

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

/** Of EventStoreDB's operations, the one that a single store has. */
export const START_SCAVENGE = '/event_store.client.operations.Operations/StartScavenge';

const { STARTED, INPROGRESS } = operations.ScavengeResp.ScavengeResult;

/** Serves `StartScavenge`, whose options are about chunks of a log, and are not read. */
export function startScavengeHandler(scavenger: Scavenger): CallHandler {
  return withRequest((call) => {
    const { id, isNew } = scavenger.start();
    const response = new operations.ScavengeResp();
    response.setScavengeId(id);
    response.setScavengeResult(isNew ? STARTED : INPROGRESS);
    call.end(Buffer.from(response.serializeBinary()));
  });
}
