import { randomUUID } from 'node:crypto';
import {
  ErrorType,
  type EventStoreDBClient,
  isCommandError,
  jsonEvent,
} from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { status } from '@grpc/grpc-js';
import { SettingRefused, withTimeLimit } from '#platform';
import { CALL_IDLE_MS } from '../../streams/limits.js';
import { exposeInternals } from '../client-internals.js';
import { toFault } from '../errors.js';

/** The rights that a ledger's user must have (rules/operators 9). */
export type StoreRight =
  'read $all' | 'read streams' | 'append' | 'read metadata' | 'write metadata' | 'delete';

/** The state of a store, and the rights that the connection's user lacks. */
export interface StoreInspection {
  readonly version: string;
  /** Host and port; undefined while there is none. */
  readonly leader: string | undefined;
  readonly missingRights: readonly StoreRight[];
}

/** No stream is ever at this revision: a request refused for it was allowed, and nothing is written. */
const UNREACHED_REVISION = 4_000_000_000n;

/**
 * Looks at a store and writes nothing.
 *
 * @param streamName a stream that is the ledger's own, which need not be there.
 * @throws Fault when the store is out of reach, or does not know the user.
 */
export async function inspectStore(
  client: EventStoreDBClient,
  streamName: string,
): Promise<StoreInspection> {
  const version = await readServerVersion(client);
  const expectedRevision = UNREACHED_REVISION;
  const event = () => jsonEvent({ id: randomUUID(), type: 'right.checked.v1', data: {} });
  const tries: readonly (readonly [StoreRight, () => Promise<unknown>])[] = [
    ['read $all', () => readFirst(client.readAll({ maxCount: 1 }))],
    ['read streams', () => readFirst(client.readStream(streamName, { maxCount: 1 }))],
    ['append', () => client.appendToStream(streamName, [event()], { expectedRevision })],
    ['read metadata', () => client.getStreamMetadata(streamName)],
    ['write metadata', () => client.setStreamMetadata(streamName, {}, { expectedRevision })],
    ['delete', () => client.tombstoneStream(streamName, { expectedRevision })],
  ];
  const missingRights: StoreRight[] = [];
  for (const [right, attempt] of tries) {
    if (await isDenied(attempt(), right)) missingRights.push(right);
  }
  const leader = (await readClusterMembers(client)).find(({ isLeader }) => isLeader);
  return { version, leader: leader?.address, missingRights };
}

/** Reads to the end: a reading that is left half-way would keep its connection busy. */
async function readFirst(answers: AsyncIterable<unknown>): Promise<number> {
  let events = 0;
  for await (const _ of answers) events += 1;
  return events;
}

async function isDenied(attempt: Promise<unknown>, right: StoreRight): Promise<boolean> {
  try {
    await withTimeLimit(attempt, CALL_IDLE_MS, 'the event store');
    return false;
  } catch (error) {
    if (!(error instanceof Error) || !isCommandError(error)) throw toFault(error, right);
    if (error.type === ErrorType.WRONG_EXPECTED_VERSION) return false;
    if (error.type === ErrorType.STREAM_NOT_FOUND) return false;
    const isOfUser =
      error.type === ErrorType.ACCESS_DENIED && error.code !== status.UNAUTHENTICATED;
    if (isOfUser) return true;
    throw toFault(error, right);
  }
}

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
    await withTimeLimit(cluster, CALL_IDLE_MS, 'the event store')
  ).toObject();
  return membersList
    .filter(({ state }) => state !== MANAGER)
    .map(({ state, isAlive, httpEndPoint: { address, port } = { address: '', port: 0 } }) => ({
      address: `${address}:${port}`,
      isLeader: isAlive && state === LEADER,
    }));
}

/** Such as `23.10.8`; `unknown` of a server that does not tell. @throws Fault. */
export async function readServerVersion(client: EventStoreDBClient): Promise<string> {
  try {
    const { capabilities } = exposeInternals(client);
    return (await withTimeLimit(capabilities, CALL_IDLE_MS, 'the event store')).serverVersion;
  } catch (error) {
    throw toFault(error, 'asking for the version');
  }
}

/** The oldest server that the ledger was run on, as major and minor number. */
const OLDEST_SUPPORTED = [23, 10] as const;
const OLDEST_SUPPORTED_VERSION = OLDEST_SUPPORTED.join('.');

/** Whether a version is not too old. All that are supported tell theirs. */
export function isSupportedVersion(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return false;
  const [oldestMajor, oldestMinor] = OLDEST_SUPPORTED;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @throws SettingRefused for a version that is too old. */
export function requireSupportedVersion(version: string): void {
  if (isSupportedVersion(version)) return;
  throw new SettingRefused(
    `The event store at EVENTSTOREDB_URL is of version ${version}, and ${OLDEST_SUPPORTED_VERSION} ` +
      'is the oldest that is supported.',
  );
}
