import { expect, it } from 'vitest';
import type { EventStore } from '#event-store';
import type { Difference } from './compare-books.js';
import type { BookedCharge, GatewayBooks } from './gateway-books.js';
import { reconcile } from './reconcile.js';

const NOW = '2027-01-31T10:00:00.000Z';
const asked: string[] = [];

const charge = (key: string): BookedCharge => ({
  ...{ key, reference: 'sub_1', status: 'captured', changedAt: '2027-01-30T10:00:00.000Z' },
  ...{ amount: { amountMinor: '999', currency: 'USD' }, refunds: [], disputes: [] },
});

const books: GatewayBooks = {
  kind: 'sandbox',
  async *list() {
    for (const key of ['pay_1', 'pay_2']) {
      asked.push(`page of ${key}`);
      yield [charge(key)];
    }
  },
  find: async ({ key }) => charge(key),
};

/** A ledger that has no payment. */
const store = {
  headPosition: async () => '0',
  async *readStream(name: string) {
    asked.push(name);
    yield* [];
  },
  async *subscribe({ onCaughtUp }: { readonly onCaughtUp?: () => void }) {
    onCaughtUp?.();
    yield* [];
  },
} as unknown as EventStore;

it('compares a page of the books before it reads the next: no run holds them all', async () => {
  const { signal } = new AbortController();
  const about = { since: NOW, now: NOW, settlingMs: 0, signal };
  const kinds: string[] = [];
  const onDifference = ({ kind }: Difference) => void kinds.push(kind);
  const { charges } = await reconcile({ store, books: [books], ...about, onDifference });
  expect([charges, kinds]).toEqual([2, ['charge_not_in_ledger', 'charge_not_in_ledger']]);
  // Each is read once more before it is named.
  expect(asked).toEqual(
    ['pay_1', 'pay_2'].flatMap((id) => [`page of ${id}`, `payment-${id}`, `payment-${id}`]),
  );
});

it('leaves the books of an app that take too long, and names them', async () => {
  let pages = 0;
  const endless: GatewayBooks = {
    ...{ kind: 'stripe', appId: 'app_1', find: async () => undefined },
    async *list({ signal: limited }) {
      while (!limited.aborted) {
        pages += 1;
        yield [];
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
  };
  const { signal } = new AbortController();
  const limits = { settlingMs: 0, accountLimitMs: 10 };
  const about = { since: NOW, now: NOW, ...limits, signal, onDifference: () => undefined };
  const { unread, charges } = await reconcile({ store, books: [endless, books], ...about });
  expect(pages).toBeGreaterThan(0);
  expect([unread.map(({ appId }) => appId), charges]).toEqual([['app_1'], 2]);
});
