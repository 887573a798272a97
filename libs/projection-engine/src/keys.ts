import { createHash } from 'node:crypto';
import { readPlayerBucket } from '#domain/ids';
import { type NamespaceIdentity, Partitions } from '#event-store';
import type { IndexName, Projection } from '#projections';
import type { LeaseKeys } from './leases/leases.js';

/** Read models; the number is that of this file's layout. */
const READ_MODELS = 'rm2';
const PROJECTOR = 'projector';

/** The ledger whose events are read: what names it and its division, and its number of partitions. */
export type LedgerIdentity = Pick<NamespaceIdentity, 'layoutId' | 'partitions'>;

/** The places of one generation of read models: one release's documents, in its partitions. */
export interface Namespace {
  readonly layoutId: string;
  /** Names what the projections are; another set of them lives beside it (decision 0040). */
  readonly name: string;
  readonly partitions: readonly PartitionKeys[];
  /** Where the projectors of this release keep their leases. */
  readonly leases: LeaseKeys;
  /** The partition of what has this id. */
  find(id: string): PartitionKeys;
  /** The partition of all that is a player's. */
  findForPlayer(pseudonym: string): PartitionKeys;
}

/** The keys of one partition; its hash tag keeps them on one slot of a Redis Cluster. */
export interface PartitionKeys {
  readonly number: number;
  readonly checkpoint: string;
  readonly parked: string;
  /** What all keys of the partition begin with. */
  readonly prefix: string;
  document(projection: string, id: string): string;
  index(name: IndexName): string;
}

/**
 * The hash tag with which all keys of a partition begin, whatever they are for: they lie on one slot of
 * a Redis Cluster, so that one script may touch any of them. Keys of two ledgers never meet.
 */
export function partitionTag(layoutId: string, partition: number): string {
  return `{sl:${layoutId}:p${partition}}`;
}

/** Namespaces of a ledger that were in use lately, with the time in milliseconds. */
export function namespacesKey(layoutId: string): string {
  return `sl:${layoutId}:${READ_MODELS}:namespaces`;
}

/** What matches all keys of a namespace, in all its partitions, for SCAN. */
export function namespacePattern({ layoutId, name }: Namespace): string {
  return `{sl:${layoutId}:p*}:${READ_MODELS}:${name}:*`;
}

/** The namespace of these projections, in the ledger's partitions. */
export function createNamespace(
  projections: readonly Projection<unknown>[],
  { layoutId, partitions }: LedgerIdentity,
): Namespace {
  return openNamespace(layoutId, `${fingerprint(projections)}-${partitions}`);
}

/** A namespace by its name, which ends with the number of its partitions. */
export function openNamespace(layoutId: string, name: string): Namespace {
  const numbering = new Partitions(Number(name.slice(name.lastIndexOf('-') + 1)));
  const partitions = numbering.numbers.map((number) => partitionKeys(layoutId, name, number));
  const at = (number: number) => {
    const partition = partitions[number];
    if (partition === undefined) throw new RangeError(`${name} has no partition ${number}`);
    return partition;
  };
  return {
    layoutId,
    name,
    partitions,
    leases: {
      members: `sl:${layoutId}:${PROJECTOR}:${name}:members`,
      prefix: (partition) => `${partitionTag(layoutId, partition)}:${PROJECTOR}:${name}`,
    },
    find: (id) => at(numbering.find(id)),
    findForPlayer: (pseudonym) => at(numbering.findForBucket(readPlayerBucket(pseudonym))),
  };
}

function partitionKeys(layoutId: string, namespace: string, number: number): PartitionKeys {
  const prefix = `${partitionTag(layoutId, number)}:${READ_MODELS}:${namespace}`;
  return {
    number,
    prefix,
    checkpoint: `${prefix}:checkpoint`,
    parked: `${prefix}:parked`,
    document: (projection, id) => `${prefix}:doc:${projection}:${id}`,
    index: (name) => `${prefix}:idx:${name.map(escaped).join(':')}`,
  };
}

/**
 * What the projections are: their versions, and the events that they know. A program that knows more
 * events therefore builds anew what an older one had to park.
 */
function fingerprint(projections: readonly Projection<unknown>[]): string {
  const described = projections.map(({ name, version, eventTypes }) => [
    name,
    version,
    [...eventTypes].sort(),
  ]);
  return createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 10);
}

/** Names of segments and codes of plans are others' own text, and must not reach into the next part. */
function escaped(part: string): string {
  return part.replace(/[%:]/g, encodeURIComponent);
}
