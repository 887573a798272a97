import { financeAggregate, type PeriodClosed } from '#domain/finance';
import { proveEvents } from '#seal-audit';
import type { FoundCheckpoint } from '#sealing';
import type { ForeseenClose } from './foreseen-close.js';
import type { BookedStore } from './posted-log.js';

const CLOSED: PeriodClosed['type'] = 'finance.period_closed.v1';

/** The closes of an app whose events are in a checkpoint. @throws Fault of the store. */
export async function findCloses(
  store: BookedStore,
  app: string,
  upTo: FoundCheckpoint,
): Promise<readonly ForeseenClose[]> {
  const stream = `${financeAggregate.category}-${app}`;
  const closes: ForeseenClose[] = [];
  for await (const { type, data, revision } of store.readStream(stream)) {
    if (type !== CLOSED) continue;
    // The type says so.
    const { period, size } = data as PeriodClosed['data'];
    if (size >= upTo.checkpoint.size) continue;
    const read = { fromRevision: revision, maxCount: 1 };
    const stored = await store.verbatim.readStream(store.names.toStored(stream), read);
    for await (const { proved } of proveEvents(store, upTo, stored)) {
      if (proved !== undefined) closes.push({ app, period, size, leaf: proved.leaf });
    }
  }
  return closes;
}
