import { partitionTag } from '#projection-engine';

/** A partition of a ledger, and of how many it is one. */
export interface LogPartition {
  readonly layoutId: string;
  readonly partition: number;
  readonly partitions: number;
}

/** A stream of attempts; those of one partition are on one slot of a Redis Cluster. */
export function deliveryLogKey(
  { layoutId, partition }: Pick<LogPartition, 'layoutId' | 'partition'>,
  endpointId: string,
): string {
  return `${partitionTag(layoutId, partition)}:worker:delivery:log:${endpointId}`;
}
