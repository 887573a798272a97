import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSandboxBooks, reconcile } from '#gateway';
import { wallClock } from '#platform';

const EPOCH = '1970-01-01T00:00:00.000Z';

/** Where the gateway's books and the ledger differ after all lives: money is neither lost nor made (rules/payments 16). */
export async function compareAllBooks(eventStoreUrl: string): Promise<readonly string[]> {
  const store = connectEventStore(eventStoreUrl);
  try {
    await store.namespaces.require();
    const books = createSandboxBooks({ store, commands: createCommandExecutor(store) });
    const { signal } = new AbortController();
    const about = { since: EPOCH, now: wallClock.now(), settlingMs: 0, signal };
    const { differences } = await reconcile({ store, books, ...about });
    return differences.map(
      ({ kind, paymentId, gateway, ledger }) => `${kind} ${paymentId}: ${gateway}, not ${ledger}`,
    );
  } finally {
    await store.dispose();
  }
}
