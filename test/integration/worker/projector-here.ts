import type { LedgerStore } from '#event-store';
import { createLogger } from '#platform';
import { runProjector } from '#projection-engine';
import { projections } from '#projections';
import { checkForGate } from '#verification';

const log = createLogger('test', { level: 'silent' });

/** Runs a projector in this process; resolves when it has caught up. @returns the function that stops it. */
export async function startProjectorHere(
  store: LedgerStore,
  redis: string,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const { signal } = stop;
  const identity = await store.namespaces.require();
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((onReady) => {
    const ledger = { store, identity, redis, projections, checkStreams: checkForGate };
    const place = { ...ledger, holder: 'projector', formerKeptMs: 86_400_000 };
    ended = runProjector({ ...place, signal, log, onReady });
  });
  return async () => {
    stop.abort();
    await ended;
  };
}
