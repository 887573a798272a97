import type { LedgerStore } from '#event-store';
import type { PlacedInPartition } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import type { Redis } from '#redis';

/** The read model to verify, and the ledger whose events decide. */
export interface VerificationOptions {
  readonly store: Pick<LedgerStore, 'readStream' | 'subscribe' | 'headPosition'>;
  readonly redis: Redis;
  /** It has a recipe. */
  readonly projection: Projection<unknown>;
  /** All partitions of the ledger, in their order. */
  readonly partitions: readonly PlacedInPartition[];
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
