import { EventStoreDBClient } from '@eventstore/db-client';
import type { RecordedEvent } from '#domain/event';
import { toStoredForm } from '#event-store';
import { newUuid } from '#platform';
import { rawAppend } from './appends.js';
import { IN_FLIGHT } from './commands-tenant.js';

/**
 * Appends the events of one act of the ledger, over and over, by the client alone: the same events, as they are stored,
 * each by itself, in their order, at the expected revisions. Every act has streams of its own.
 *
 * @param events of one act, in the store's order. @param atOnce acts. @returns acts per second.
 */
export async function replayRaw(
  eventStoreUrl: string,
  events: readonly RecordedEvent[],
  acts: number,
  atOnce = IN_FLIGHT,
): Promise<number> {
  const client = EventStoreDBClient.connectionString(eventStoreUrl);
  const append = rawAppend(client);
  const stored = events.map(({ streamName, type, data, metadata }) => ({
    streamName,
    event: toStoredForm(streamName, { id: '', type, data, metadata }),
  }));
  let left = acts;
  const worker = async () => {
    while (left-- > 0) {
      const own = newUuid();
      const revisions = new Map<string, number>();
      for (const { streamName, event } of stored) {
        const expected = revisions.get(streamName) ?? 'no_stream';
        const proposed = { ...event, id: newUuid() } as never;
        revisions.set(streamName, await append(`raw-${own}-${streamName}`, expected, proposed));
      }
    }
  };
  const startedAtMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const perSecond = (acts * 1000) / (performance.now() - startedAtMs);
  await client.dispose();
  return perSecond;
}
