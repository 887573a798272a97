import type { LedgerStore } from '#event-store';

/** Source and target of a copy. */
export interface CopiedStores {
  readonly source: LedgerStore;
  readonly target: LedgerStore;
}
