import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, anonymous } from '../support/api-client.js';
import { errorReason } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { readStream } from '../support/read-stream.js';
import { checkoutLink, paymentLink, requireOk } from '../support/scenario.js';
import { useWebshop } from '../support/webshop.js';

/** The money of orders: one charge for an order, and the amount that a bank takes back of it. */
const ledger = useLedger();
const shop = useWebshop(ledger);
const SWORD = { id: 'sword', price: { currency: 'USD', amount: '4.99' } };

beforeAll(async () => {
  shop.catalog.offer(SWORD);
  const DAY_MS = 86_400_000;
  const campaign = {
    ...{ name: 'Points', points: [{ currency: 'USD', perMajorUnit: '10' }] },
    milestones: [
      { id: 'rich', points: 90, rewards: [{ itemId: 'hat', quantity: 1, type: 'item' }] },
    ],
    from: new Date(Date.now() - DAY_MS).toISOString(),
    until: new Date(Date.now() + DAY_MS).toISOString(),
  };
  const path = `/manage/apps/${ledger.appId}/loyalty-campaigns`;
  requireOk(await ledger.operator.post(path, { ...campaign, delivery: 'none' }));
});

/** Two swords, for 9.98 USD, bought by a new player. @returns the address where they are paid. */
const WAYS = {
  Cart: async (player: string) => {
    const visit = await shop.open(player);
    requireOk(await visit.add({ itemId: 'sword', quantity: 2 }));
    return addressIn(await visit.checkOut());
  },
  BuyNow: async (player: string) => {
    const visit = await shop.open(player);
    return addressIn(await visit.buy('sword', { quantity: 2 }));
  },
  /** Of a subscription, which is paid on the same page. */
  subscription: async (player: string) =>
    (await checkoutLink(ledger.backend, { plan: 'gold', player })).url,
  ServicePay: async (player: string) => {
    const items = [{ id: 'sword', name: 'Sword', quantity: 2, price: '4.99' }];
    return (await paymentLink(ledger.backend, { player, items })).url;
  },
} as const;
type Way = keyof typeof WAYS;
const addressIn = (made: Answer) => String(requireOk(made).body['url']);

const complete = (address: string, paymentMethod: string, key: string) =>
  anonymous(address).post(`${address}/complete`, { paymentMethod }, { 'idempotency-key': key });

/** The form of a tab without a script. @returns the page that it is led to. */
async function submitForm(address: string, paymentMethod: string, attemptKey: string) {
  const body = new URLSearchParams({ paymentMethod, attemptKey });
  const answer = await fetch(`${address}/pay`, { method: 'POST', body, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(address).pathname]);
  return readState(address);
}

async function readState(address: string): Promise<string | undefined> {
  return /data-state="(\w+)"/.exec(await (await fetch(address)).text())?.[1];
}

/** How many charges were begun for an address's purchase. */
async function countAttempts(address: string, orderId: string | undefined): Promise<number> {
  const linkId = address.split('/').at(-1) ?? '';
  const stream = orderId === undefined ? `checkout_link-${linkId}` : `order-${orderId}`;
  const events = await readStream(ledger.standalone, stream);
  return events.filter(({ type }) => type.endsWith('.attempted.v1')).length;
}

/** Two tabs of a page: one sends its form, the other one calls, as its script does. */
async function payInBoth(way: Way, card: string): Promise<void> {
  const address = await WAYS[way](`tabs-${way}-${card}`);
  const [state, called] = await Promise.all([
    submitForm(address, card, 'tab-1'),
    complete(address, card, 'tab-2'),
  ]);
  const { orderId, status } = requireOk(called).body as { orderId?: string; status: string };
  expect([way, state, status]).toEqual([
    ...[way, 'completed', way === 'subscription' ? 'active' : 'PAID'],
  ]);
  expect(await submitForm(address, card, 'tab-1')).toBe('completed');
  expect(requireOk(await complete(address, card, 'tab-2')).body).toEqual(called.body);
  expect([way, await countAttempts(address, orderId)]).toEqual([way, 1]);
}

/** rules/payments 3 and orders 2 */
describe('a page that is open in two tabs', () => {
  const ways = Object.keys(WAYS) as Way[];

  it.each(['pm_ok', 'pm_pending'])(
    'is charged once where both pay at once by %s, with and without a script, and both are answered the same',
    async (card) => {
      await Promise.all(ways.map((way) => payInBoth(way, card)));
    },
  );
});

/** rules/payments 14, orders 3 and 6, loyalty 2 */
describe('what a bank takes back of an order of the shop', () => {
  const disputes = () => `/manage/apps/${ledger.appId}/sandbox/disputes`;
  const readOrder = async (orderId: string) =>
    requireOk(await ledger.backend.get(`/sdk/server/orders/${orderId}`)).body;

  const lose = async (paymentId: unknown, amountCents: string) => {
    const opened = await ledger.operator.post(disputes(), { paymentId, amountCents });
    const path = `${disputes()}/${String(requireOk(opened).body['disputeId'])}/close`;
    return async () => requireOk(await ledger.operator.post(path, { won: false }));
  };

  /** The messages about an order, in the order of their numbers. */
  const sentAbout = (orderId: string) =>
    shop.receiver.received
      .filter(({ bytes }) => bytes.includes(orderId))
      .map(({ type, headers }) => [Number(headers['service-event-sequence']), type])
      .sort(([a], [b]) => Number(a) - Number(b));

  it.each(['Cart', 'BuyNow'] as const)(
    'shows in the state of one by %s, in its messages, which are none of the family v2, and in points',
    async (way) => {
      const player = `disputed-${way}`;
      const address = await WAYS[way](player);
      const paid = requireOk(await complete(address, 'pm_ok', 'once'));
      const orderId = String(paid.body['orderId']);
      const visit = await shop.open(player);
      const until = async (status: string, points: number, milestone: string) => {
        const isShown = async () => {
          const { loyalty } = requireOk(await visit.shop()).body as unknown as Shown;
          const [{ points: counted, milestones }] = loyalty;
          const { orders } = (await visit.orders()).body as { orders?: { status: string }[] };
          return (
            (await readOrder(orderId))['status'] === status &&
            orders?.[0]?.status === status &&
            [counted, milestones[0].state].join() === [points, milestone].join()
          );
        };
        await eventually(isShown, { what: `an order that is ${status}` });
      };
      await until('PAID', 99, 'open');
      const { paymentId } = await readOrder(orderId);
      const first = await lose(paymentId, '400');
      await until('DISPUTED', 99, 'open');
      await first();
      await until('PARTIALLY_REFUNDED', 59, 'locked');
      const second = await lose(paymentId, '598');
      await until('DISPUTED', 59, 'locked');
      await second();
      await until('REFUNDED', 0, 'locked');
      await shop.untilSent(player, 'PURCHASE_REFUNDED', 2);
      const refunds = shop.sentTo(player, 'PURCHASE_REFUNDED').map(({ eventData }) => eventData);
      expect(refunds).toMatchObject([
        { source: way, refundedAmount: '4.00', totalRefunded: '4.00', isFullRefund: false },
        { source: way, refundedAmount: '5.98', totalRefunded: '9.98', isFullRefund: true },
      ]);
      // Numbers have no gaps, so nothing else is on its way.
      expect(sentAbout(orderId)).toEqual([
        [1, 'CREATE_PAYMENT_INTENT'],
        [2, 'PURCHASE_SUCCEEDED'],
        [3, 'PURCHASE_REFUNDED'],
        [4, 'PURCHASE_REFUNDED'],
      ]);
      expect(shop.receiver.typesSentFor(String(paymentId))).toEqual([]);
      const refund = await ledger.backend.post(`/sdk/server/payments/${String(paymentId)}/refunds`);
      expect(errorReason(refund)).toBe('PAYMENT_NOT_REFUNDABLE');
    },
  );
});

/** The shop's data about the only campaign there is. */
interface Shown {
  readonly loyalty: readonly [{ points: number; milestones: readonly [{ state: string }] }];
}
