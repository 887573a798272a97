import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import type { WorkerConfig } from './config.js';
import { KNOWN_EVENT_TYPES } from './known-event-types.js';

/** An event of a type that the worker does not know was written by a newer release. */
export function openStore({ eventStoreUrl, namespace }: WorkerConfig): LedgerStore {
  return connectEventStore(eventStoreUrl, { knownTypes: KNOWN_EVENT_TYPES, namespace });
}
