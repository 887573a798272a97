import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../../support/eventually.js';
import {
  dollars,
  listItems,
  MILESTONES,
  type MilestoneId,
  type ModelMessage,
  type ModelShop,
  total,
} from './model.js';
import type { GotMessage, Shopper } from './shopper.js';

const LIMIT_MS = 60_000;

/**
 * Holds the product against the model: the shop, the orders, what the studio was sent.
 *
 * @throws AssertionError with what differs.
 */
export async function compare(model: ModelShop, shopper: Shopper): Promise<void> {
  await settles('shop', showShop(model), async () => pickShop(await shopper.read('/shop')));
  await settles('orders', showOrders(model), async () => {
    const { orders } = await shopper.read('/shop/orders');
    // The list is the product's own answer to this path.
    return (orders as Record<string, unknown>[]).map(({ orderId, status, total: sum }) => ({
      ...{ orderId, status, total: sum },
    }));
  });
  await settles('messages', showMessages(model), async () => ({
    ...gather(shopper.messages(), model),
    strays: shopper.strays(),
  }));
}

/** What is right within a moment, and then stays so. */
async function settles(
  what: string,
  expected: unknown,
  read: () => Promise<unknown>,
): Promise<void> {
  let found: unknown;
  const isThere = async () => isDeepStrictEqual((found = await read()), expected);
  await eventually(isThere, { what, limitMs: LIMIT_MS }).catch(() => undefined);
  deepStrictEqual(found, expected, what);
}

function showShop(model: ModelShop) {
  const quantity = listItems(model.cart).reduce((sum, [, pieces]) => sum + pieces, 0);
  // The names are those of the type.
  const milestones = (Object.entries(MILESTONES) as [MilestoneId, number][]).map(
    ([milestoneId, points]) => {
      const open = model.points >= points ? 'open' : 'locked';
      return { milestoneId, state: model.milestones.includes(milestoneId) ? 'claimed' : open };
    },
  );
  return { cart: { quantity }, loyalty: [{ points: model.points, milestones }] };
}

function pickShop({ cart, loyalty }: Record<string, unknown>) {
  // The page's model is the product's own.
  const campaigns = loyalty as { points: number; milestones: Record<string, unknown>[] }[];
  return {
    cart,
    loyalty: campaigns.map(({ points, milestones }) => ({
      points,
      milestones: milestones.map(({ milestoneId, state }) => ({ milestoneId, state })),
    })),
  };
}

function showOrders(model: ModelShop) {
  return model.orders
    .map((order) => ({
      ...{ orderId: order.orderId, status: order.status, total: dollars(total(order)) },
    }))
    .reverse();
}

/** By subjects. What begins an order names none: these are all that have the number 1 and this type. */
function showMessages(model: ModelShop) {
  const carts = model.cartsSent.filter((sent) => sent.length > 0);
  return {
    carts: sorted(carts.map((sent) => sent.map(shown))),
    begun: sorted(model.orders.flatMap(({ sent }) => sent.slice(0, 1).map(shown))),
    orders: Object.fromEntries(
      model.orders
        .filter(({ sent }) => sent.length > 1)
        .map(({ orderId, sent }) => [orderId, sent.slice(1).map(shown)]),
    ),
    strays: [],
    claimed: model.claimed,
    milestones: model.milestones.map((milestoneId, at) => ({ milestoneId, sequence: at + 1 })),
  };
}

function gather(got: readonly GotMessage[], model: ModelShop) {
  const told = new Map(model.orders.map(({ orderId, sent }) => [orderId, sent]));
  const of = (type: string) => got.filter((message) => message.type === type);
  const carts = new Map<unknown, unknown[]>();
  for (const { type, sequence, data } of of('MUTATE_CART')) {
    const sent = carts.get(data['cartId']) ?? [];
    sent.push(shown({ type, sequence, tells: { items: pieces(data) } }));
    carts.set(data['cartId'], sent);
  }
  const orders: Record<string, unknown[]> = {};
  for (const { type, sequence, data } of got) {
    const orderId = String(data['orderId']);
    if (data['orderId'] === undefined) continue;
    const sent = (orders[orderId] ??= []);
    const keys = Object.keys(told.get(orderId)?.[sent.length + 1]?.tells ?? {});
    const tells = Object.fromEntries(keys.map((key) => [key, data[key]]));
    sent.push(shown({ type, sequence, tells }));
  }
  return {
    carts: sorted([...carts.values()]),
    begun: sorted(
      of('CREATE_PAYMENT_INTENT').map(({ type, sequence, data }) =>
        shown({ type, sequence, tells: { source: data['source'], items: pieces(data) } }),
      ),
    ),
    orders,
    claimed: of('FREE_ITEM_REDEEMED').map(({ data }) => data['itemId']),
    milestones: of('LOYALTY_MILESTONE_CLAIMED').map(({ sequence, data }) => ({
      ...{ milestoneId: data['milestoneId'], sequence },
    })),
  };
}

function pieces({ items }: GotMessage['data']): unknown[] {
  // The list is the product's own.
  return (items as { id: string; quantity: number }[]).map(({ id, quantity }) => [id, quantity]);
}

const shown = ({ type, sequence, tells }: ModelMessage): string =>
  JSON.stringify([type, sequence, tells]);

/** Those of two subjects come in any order. */
const sorted = (subjects: readonly unknown[]): string[] =>
  subjects.map((each) => JSON.stringify(each)).sort();
