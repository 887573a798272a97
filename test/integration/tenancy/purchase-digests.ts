import { createHash } from 'node:crypto';
import { type LedgerStore, readLog } from '#event-store';

/** All that read models are built from, each event with its place, by its id. */
export async function digestPurchases(store: LedgerStore): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const categories = ['checkout_link', 'subscription', 'payment'];
  for await (const { events } of readLog({ store, categories })) {
    for (const event of events) {
      const hash = createHash('sha256').update(JSON.stringify(event));
      digests.set(`${event.streamName} ${event.revision}`, hash.digest('hex'));
    }
  }
  return digests;
}
