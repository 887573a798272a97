import { deriveUuid, Fault, newUuid, wallClock } from '#platform';
import { STORE_IDENTIFIED } from './codec.js';
import { type EventStore, RevisionConflict } from './event-store.js';

const STREAM = 'store-identity';

/**
 * The identity of a store: an event written once, by the first process that comes. Checkpoints carry it, so that
 * read models of another store are recognised (rules/events 6).
 *
 * @throws Fault when the store is out of reach.
 */
export async function ensureStoreIdentity(store: EventStore): Promise<string> {
  const known = await readIdentity(store);
  if (known !== undefined) return known;
  try {
    await store.append(STREAM, 'no_stream', [identified(newUuid())]);
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
  }
  const identity = await readIdentity(store);
  if (identity !== undefined) return identity;
  const message = `${STREAM} holds no identity, though it is not empty`;
  throw new Fault('undecodable', message, { retryable: false });
}

async function readIdentity(store: EventStore): Promise<string | undefined> {
  for await (const event of store.readStream(STREAM, { maxCount: 1 })) {
    const { storeId } = event.data as { storeId?: unknown };
    if (event.type === STORE_IDENTIFIED && typeof storeId === 'string') return storeId;
  }
  return undefined;
}

function identified(storeId: string) {
  return {
    id: deriveUuid(`${STREAM} ${storeId}`),
    type: STORE_IDENTIFIED,
    data: { storeId },
    metadata: {
      $correlationId: storeId,
      actor: 'process:store_identity',
      appId: '',
      environment: 'production' as const,
      schemaVersion: 1,
      occurredAt: wallClock.now(),
    },
  };
}
