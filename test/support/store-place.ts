import { EventStoreDBClient } from '@eventstore/db-client';
import { connectEventStore } from '#event-store/connect';
import type { LedgerStore } from '#event-store';
import { StoreProcess } from './store-process.js';

/** An event store that runs on a data directory. */
export interface Place {
  readonly dir: string;
  store: StoreProcess;
}

/** With its own client, which is disposed of afterwards. */
export async function withClient<T>(place: Place, act: (client: EventStoreDBClient) => Promise<T>) {
  const client = EventStoreDBClient.connectionString(place.store.connectionString);
  try {
    return await act(client);
  } finally {
    await client.dispose();
  }
}

export async function withLedger<T>(
  place: Place,
  act: (store: LedgerStore) => Promise<T>,
): Promise<T> {
  const store = connectEventStore(place.store.connectionString);
  try {
    return await act(store);
  } finally {
    await store.dispose();
  }
}

/** Kills it and starts it again at the same address. */
export async function restart(place: Place): Promise<void> {
  await place.store.kill();
  place.store = await StoreProcess.start(place.dir, place.store.port);
}
