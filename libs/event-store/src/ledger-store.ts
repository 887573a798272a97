import type { EventStore } from './event-store.js';
import type { Namespaces } from './namespaces.js';

/** The event store as one ledger in it is seen: streams of other namespaces are not there. */
export interface LedgerStore extends EventStore {
  readonly namespaces: Namespaces;
}
