import type { LedgerStore } from '#event-store';

/** The store as it is audited. */
export type AuditedStore = Pick<LedgerStore, 'names' | 'verbatim' | 'namespaces'>;
