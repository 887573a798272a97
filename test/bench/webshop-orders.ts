import type { RecordedEvent } from '#domain/event';
import type { LedgerStore } from '#event-store';
import { measureRate, progress } from './benchmark.js';
import { IN_FLIGHT } from './commands-tenant.js';
import type { JsonClient } from './json-client.js';
import { inOrder, readStreams } from './raw-replay.js';

/** CREATE_PAYMENT_INTENT with the first attempt, as the page is not opened here; PURCHASE_SUCCEEDED and payment.succeeded. */
export const MESSAGES_AN_ORDER = 3;

const ITEMS = [
  { id: 'gems', name: 'Gems', quantity: 2, price: '4.99' },
  { id: 'sword', name: 'Sword of dawn', quantity: 1, price: '9.99' },
];

/** An order that was paid, with its link. */
export interface BoughtOrder {
  readonly linkId: string;
  readonly orderId: string;
}

/**
 * Payment links made and paid, 64 at once.
 *
 * @param after awaited beside the answers. @returns orders per second, and one of them.
 */
export async function buyOrders(
  backend: JsonClient,
  page: JsonClient,
  count: number,
  after: () => Promise<void> = async () => undefined,
): Promise<{ readonly perSecond: number; readonly one: BoughtOrder }> {
  let one: BoughtOrder | undefined;
  const buy = async () => {
    one = await buyOne(backend, page);
  };
  const perSecond = await measureRate(count, IN_FLIGHT, buy, after);
  progress(`${count} orders, ${IN_FLIGHT} at once: ${perSecond.toFixed(0)}/s`);
  if (one === undefined) throw new Error('an order was bought');
  return { perSecond, one };
}

async function buyOne(backend: JsonClient, page: JsonClient): Promise<BoughtOrder> {
  const user = { id: `buyer-${Math.random()}` };
  const order = { items: ITEMS, currency: 'USD', user };
  const made = await backend.post('/sdk/server/checkout-links', order);
  const linkId = String(made['id']);
  const paid = await page.post(`/checkout/${linkId}/complete`, { paymentMethod: 'pm_ok' });
  return { linkId, orderId: String(paid['orderId']) };
}

/** The events of one order, at the sandbox gateway as well, in the order of the store. */
export async function findOrderEvents(
  store: LedgerStore,
  { linkId, orderId }: BoughtOrder,
): Promise<RecordedEvent[]> {
  const events = await readStreams(store, [`order-${orderId}`, `order_link-${linkId}`]);
  const made = events.find(({ type }) => type.startsWith('order.created.'));
  const attempted = events.find(({ type }) => type.startsWith('order.attempt'));
  const { player } = made?.data as { readonly player: string };
  const { paymentId } = attempted?.data as { readonly paymentId: string };
  const accounts = [orderId, paymentId, player].map((account) => `sandbox_account-${account}`);
  const more = [`payment-${paymentId}`, `player-${player}`, ...accounts];
  return inOrder([...events, ...(await readStreams(store, more))]);
}
