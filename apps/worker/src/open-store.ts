import { EVENT_TYPES } from '#domain/event-types';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { SANDBOX_EVENT_TYPES } from '#gateway';
import type { WorkerConfig } from './config.js';
import { DELIVERY_CHECKPOINT_RECORDED } from './feed/delivery-checkpoint.js';

/** An event of a type that is not named here was written by a newer release: its stream is parked. */
export function openStore({ eventStoreUrl, namespace }: WorkerConfig): LedgerStore {
  const knownTypes = [...EVENT_TYPES, ...SANDBOX_EVENT_TYPES, DELIVERY_CHECKPOINT_RECORDED];
  return connectEventStore(eventStoreUrl, { knownTypes, namespace });
}
