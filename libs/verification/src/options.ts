import type { LedgerStore } from '#event-store';
import type { PartitionKeys } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import type { Redis } from '#redis';

/** A generation of a read model in one partition, as it stands in Redis. */
export interface CheckedPartition {
  readonly number: number;
  /** The key of the generation's checkpoint. */
  readonly checkpointKey: string;
  readonly keys: PartitionKeys;
}

/** The read model to verify, and the ledger whose events decide. */
export interface VerificationOptions {
  readonly store: Pick<LedgerStore, 'readStream' | 'subscribe' | 'headPosition'>;
  readonly redis: Redis;
  /** It has a recipe. */
  readonly projection: Projection<unknown>;
  /** All partitions of the ledger, in their order. */
  readonly partitions: readonly CheckedPartition[];
  /** Ends the verification: it throws the signal's reason. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
}

export interface VerificationProgress {
  /** Documents that were compared. */
  readonly checked: number;
  /** Documents that are to be compared, as far as it is known. */
  readonly total: number;
}
