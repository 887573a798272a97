import { createHash } from 'node:crypto';
import type { IndexName, Projection } from '#projections';

/** All keys of ours begin so; the number is that of this file's layout. */
const ROOT = 'sl:rm1';

/**
 * One partition is enough so far. Documents and lists already live in partitions, so that more of them are
 * this number and a rebuild, which the new namespace brings about by itself.
 */
const PARTITIONS = 1;

/** The places of one generation of read models: one release's documents, in its partitions. */
export interface Namespace {
  /** Names what the projections are; another set of them lives beside it (decision 0040). */
  readonly name: string;
  readonly partitions: readonly PartitionKeys[];
  partitionOf(appId: string, player?: string): PartitionKeys;
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

/** Namespaces that were in use lately, with the time in milliseconds. */
export const NAMESPACES_KEY = `${ROOT}:namespaces`;

/** The namespace of these projections, in that many partitions. */
export function createNamespace(
  projections: readonly Projection<unknown>[],
  partitionCount = PARTITIONS,
): Namespace {
  return openNamespace(`${fingerprint(projections)}-${partitionCount}`);
}

/** A namespace by its name, which ends with the number of its partitions. */
export function openNamespace(name: string): Namespace {
  const partitionCount = Number(name.slice(name.lastIndexOf('-') + 1));
  const partitions = Array.from({ length: partitionCount }, (_, number) =>
    partitionKeys(name, number),
  );
  return {
    name,
    partitions,
    partitionOf: (appId, player = '') => {
      const partition = partitions[hash(`${appId}/${player}`) % partitionCount];
      if (partition === undefined) throw new RangeError(`${name} has no partitions`);
      return partition;
    },
  };
}

function partitionKeys(namespace: string, number: number): PartitionKeys {
  const prefix = `${ROOT}:${namespace}:{p${number}}`;
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

/** Players' ids are the studios' own text, and must not reach into the next part of a key. */
function escaped(part: string): string {
  return part.replace(/[%:]/g, encodeURIComponent);
}

function hash(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE();
}
