import { createHash } from 'node:crypto';
import type { NamespaceIdentity } from '#event-store';
import { Partitions } from '#event-store';
import type { IndexName, Projection } from '../define/index.js';
import type { LeaseKeys } from '../leases/leases.js';

/** Read models; the number is that of this file's layout. */
const READ_MODELS = 'rm5';
const PROJECTOR = 'projector';

/** The ledger whose events are read: the name of it and its division, and its number of partitions. */
export type LedgerIdentity = Pick<NamespaceIdentity, 'layoutId' | 'partitions'>;

/** The places of one projection in one version, in all partitions of a ledger (decision 0012). */
export interface ReadModel {
  readonly layoutId: string;
  /** Names the projection, its version and the events that it knows. */
  readonly name: string;
  readonly partitions: readonly PartitionKeys[];
  /** The keys of its projectors' leases. */
  readonly leases: LeaseKeys;
}

/** The places of a partition's generations: one answers, one is built, one is kept. Each is the key of a checkpoint. */
export const PLACES = ['checkpoint', 'building', 'former'] as const;

export type GenerationPlace = (typeof PLACES)[number];

/** The keys of a read model in one partition; the hash tag keeps them on one slot of a Redis Cluster. */
export interface PartitionKeys {
  readonly number: number;
  /** The prefix of all of these keys. */
  readonly prefix: string;
  /** How far the generation is that answers; missing while there is none. */
  readonly checkpoint: string;
  /** How far the generation is that is being built; missing while none is. */
  readonly building: string;
  /** How far the generation is that answered before, and is kept; missing while there is none. */
  readonly former: string;
  /** Says that older generations are still to be deleted; missing when not so. */
  readonly leftovers: string;
  generation(epoch: string): GenerationKeys;
}

/** The keys of one generation: all that was built from the first event on, under its checkpoint's epoch. */
export interface GenerationKeys {
  /** The prefix of all of these keys. */
  readonly prefix: string;
  readonly parked: string;
  /** A hash of all documents by id: a key for each of them would take more memory than some documents. */
  readonly documents: string;
  /** A hash of the numbers of entries in all lists of a name, such as those of all players, by the name. */
  readonly counts: string;
  readonly index: (name: IndexName) => string;
}

/**
 * The hash tag with which all keys of a partition begin, whatever they are for: they lie on one slot of
 * a Redis Cluster, so that one script may touch any of them. Keys of two ledgers never meet.
 */
export function partitionTag(layoutId: string, partition: number): string {
  return `{sl:${layoutId}:p${partition}}`;
}

/** The read models of a ledger that were in use lately, with the time in milliseconds. */
export function readModelsKey(layoutId: string): string {
  return `sl:${layoutId}:${READ_MODELS}:in-use`;
}

/** The pattern of all keys of a read model, or of all of them, in all partitions, for SCAN. */
export function readModelPattern(layoutId: string, name = '*'): string {
  return `{sl:${layoutId}:p*}:${READ_MODELS}:${name}:*`;
}

/** The prefix of the partition of a read model to which a key belongs; empty for another key. */
export function readPrefix(key: string): string {
  return PREFIX.exec(key)?.[0] ?? '';
}

const PREFIX = new RegExp(`^\\{[^}]*\\}:${READ_MODELS}:[^:]+(?=:)`);

/** The read model of a projection. */
export function findReadModel(projection: Projection<unknown>, ledger: LedgerIdentity): ReadModel {
  return openReadModel(nameReadModel(projection), ledger);
}

/** A name for this release's form of a projection: another version, or other events, give another. */
export function nameReadModel(projection: Projection<unknown>): string {
  return `${projection.name}.${projection.version}.${fingerprint(projection)}`;
}

/** A read model by its name: also one of another release. */
export function openReadModel(name: string, ledger: LedgerIdentity): ReadModel {
  const { layoutId } = ledger;
  const { numbers } = new Partitions(ledger.partitions);
  return {
    layoutId,
    name,
    partitions: numbers.map((number) => partitionKeys(layoutId, name, number)),
    leases: {
      members: `sl:${layoutId}:${PROJECTOR}:${name}:members`,
      prefix: (partition) => `${partitionTag(layoutId, partition)}:${PROJECTOR}:${name}`,
    },
  };
}

function partitionKeys(layoutId: string, readModel: string, number: number): PartitionKeys {
  const prefix = `${partitionTag(layoutId, number)}:${READ_MODELS}:${readModel}`;
  return {
    number,
    prefix,
    checkpoint: `${prefix}:checkpoint`,
    building: `${prefix}:building`,
    former: `${prefix}:former`,
    leftovers: `${prefix}:leftovers`,
    generation: (epoch) => generationKeys(`${prefix}:${epoch}`),
  };
}

/** Short names: some lists have no more than one member. */
function generationKeys(prefix: string): GenerationKeys {
  return {
    prefix,
    parked: `${prefix}:parked`,
    documents: `${prefix}:d`,
    counts: `${prefix}:n`,
    index: (name) => `${prefix}:i:${name.map(escaped).join(':')}`,
  };
}

/**
 * The events that a projection knows. A program that knows more events therefore builds this read model
 * anew, beside the old one, and no other.
 */
function fingerprint({ eventTypes }: Projection<unknown>): string {
  const described = JSON.stringify([...eventTypes].sort());
  return createHash('sha256').update(described).digest('hex').slice(0, 6);
}

/** Names of segments and codes of plans are others' own text, and must not reach into the next part. */
export function escaped(part: string): string {
  return part.replace(/[%:]/g, encodeURIComponent);
}
