import { randomUUID } from 'node:crypto';
import {
  type EventStoreDBClient,
  ErrorType,
  isCommandError,
  jsonEvent,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { withTimeLimit } from '#platform';
import { readClusterMembers } from './cluster-members.js';
import { toFault } from '../errors.js';
import { READ_IDLE_MS } from '../../streams/limits.js';
import { readServerVersion } from './server-version.js';

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
    await withTimeLimit(attempt, READ_IDLE_MS, 'the event store');
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
