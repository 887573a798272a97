import type { GenerationPlace, PartitionKeys, ReadModel } from './keys.js';

/** A generation in a place of a partition. */
export interface PlacedInPartition {
  readonly number: number;
  /** The key of its checkpoint. */
  readonly checkpointKey: string;
  readonly keys: PartitionKeys;
}

/** A place of a read model in all partitions. */
export function placedIn(
  { partitions }: ReadModel,
  place: GenerationPlace,
): readonly PlacedInPartition[] {
  return partitions.map((keys) => ({ number: keys.number, checkpointKey: keys[place], keys }));
}
