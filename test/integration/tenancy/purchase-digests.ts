import { createHash } from 'node:crypto';
import { type LedgerStore, START } from '#event-store';

/** All that read models are built from, each event with its place, by its id. */
export async function digestPurchases(store: LedgerStore): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const isRead = new AbortController();
  const categories = ['checkout_link', 'subscription', 'payment'];
  const read = { categories, after: START, batchSize: 256, tellsEveryPosition: false };
  const onCaughtUp = () => isRead.abort();
  for await (const { events } of store.subscribe({ ...read, onCaughtUp, signal: isRead.signal })) {
    for (const event of events) {
      const hash = createHash('sha256').update(JSON.stringify(event));
      digests.set(`${event.streamName} ${event.revision}`, hash.digest('hex'));
    }
  }
  return digests;
}
