import { EventStoreDBClient } from '@eventstore/db-client';
import type { RecordedEvent } from '#domain/event';
import { type LedgerStore, toStoredForm } from '#event-store';
import { newUuid } from '#platform';
import { rawAppend } from './appends.js';
import { measureRate } from './benchmark.js';
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
  const perSecond = await measureRate(acts, atOnce, async () => {
    const own = newUuid();
    const revisions = new Map<string, number>();
    for (const { streamName, event } of stored) {
      const expected = revisions.get(streamName) ?? 'no_stream';
      const proposed = { ...event, id: newUuid() } as never;
      revisions.set(streamName, await append(`raw-${own}-${streamName}`, expected, proposed));
    }
  });
  await client.dispose();
  return perSecond;
}

/** The events of these streams, one stream after the other. */
export async function readStreams(
  store: LedgerStore,
  names: readonly string[],
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const name of names) for await (const event of store.readStream(name)) events.push(event);
  return events;
}

/** As they came to the store. */
export function inOrder(events: readonly RecordedEvent[]): RecordedEvent[] {
  return events.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}
