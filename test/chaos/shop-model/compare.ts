import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../../support/eventually.js';
import { gather, showMessages } from './compare-messages.js';
import { CAMPAIGNS, ITEMS, type ItemId, type MilestoneId, findMost } from './goods.js';
import type { ModelShop } from './model.js';
import { type ModelAttempt, type ModelOrder, showLine, showTotal } from './model-order.js';
import type { Shopper } from './shopper.js';

const LIMIT_MS = 60_000;

/**
 * Holds the product against the model: the shop, the orders, the studio's messages.
 *
 * @throws AssertionError with the difference.
 */
export async function compare(model: ModelShop, shopper: Shopper): Promise<void> {
  const { campaignIds } = shopper.studio;
  await settles('shop', showShop(model), async () =>
    pickShop(await shopper.read('/shop'), campaignIds),
  );
  await settles('cart', model.cart.show(), async () => pickCart(await shopper.read('/shop/cart')));
  await settles('orders', model.orders.map(showOrder).reverse(), async () => {
    const { orders } = await shopper.read('/shop/orders');
    // The list is the product's own answer to this path.
    return (orders as Record<string, unknown>[]).map(pickOrder);
  });
  await settles('messages', showMessages(model), async () => gather(shopper.messages(), model));
}

/** At the end of a visit: the answers about each order to the studio's backend, and the outcome of each charge. */
export async function compareMoney({ orders }: ModelShop, { studio }: Shopper): Promise<void> {
  for (const { orderId, ...order } of orders) {
    for (const { challengeUrl, state } of order.attempts) {
      const paymentId = challengeUrl?.split('/').at(-1);
      if (paymentId === undefined || state === 'captured') continue;
      const status = `SUBSCRIPTION_PAYMENT_STATUS_${CHARGES[state]}`;
      await settles('charge', status, async () => (await studio.readPayment(paymentId))['status']);
    }
    if (orderId === null) continue;
    const { source, status, currency } = order;
    const expected = { source, status, currency, total: showTotal({ ...order, orderId }) };
    await settles('order', expected, async () =>
      pick(await studio.readOrder(orderId), Object.keys(expected)),
    );
  }
}

const CHARGES: Readonly<Record<Exclude<ModelAttempt['state'], 'captured'>, string>> = {
  open: 'PENDING',
  failed: 'FAILED',
  returned: 'REFUNDED',
};

/** A condition that holds within a moment, and then stays so. */
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
  const loyalty = CAMPAIGNS.map((campaign) => {
    const points = model.points(campaign);
    // The names are those of the type.
    const milestones = Object.entries(campaign.milestones) as [MilestoneId, number][];
    const states = milestones.map(([milestoneId, least]) => {
      const open = points >= least ? 'open' : 'locked';
      return { milestoneId, state: model.milestones.includes(milestoneId) ? 'claimed' : open };
    });
    return { points, milestones: states };
  });
  // The names are those of the type.
  const limited = (Object.keys(ITEMS) as ItemId[]).filter(
    (id) => findMost(id) < Infinity && model.price(id) !== null,
  );
  const left = limited.map((id) => [id, Math.max(0, model.left(id))]);
  return { cart: { quantity: model.cart.count() }, left, loyalty };
}

function pickShop(
  { cart, rows, loyalty }: Record<string, unknown>,
  campaignIds: readonly string[],
) {
  // The page's model is the product's own.
  const campaigns = loyalty as Record<string, unknown>[];
  const items = (rows as { items: Record<string, unknown>[] }[]).flatMap((row) => row.items);
  return {
    cart,
    left: items
      .filter(({ maxPurchasable }) => maxPurchasable !== null)
      .map(({ id, maxPurchasable }) => [id, maxPurchasable]),
    loyalty: campaignIds
      .map((id) => campaigns.find(({ campaignId }) => campaignId === id))
      .map((campaign) => ({
        points: campaign?.['points'],
        milestones: (campaign?.['milestones'] as Record<string, unknown>[]).map((milestone) =>
          pick(milestone, ['milestoneId', 'state']),
        ),
      })),
  };
}

function pickCart({ items, currency, total }: Record<string, unknown>) {
  // The page's model is the product's own.
  const lines = items as Record<string, unknown>[];
  const shown = lines.map((line) => pick(line, ['id', 'quantity', 'problem', 'price']));
  return { items: shown, currency, total };
}

function showOrder(order: ModelOrder) {
  const { items, currency, status } = order;
  return { items: items.map(showLine), total: showTotal(order), currency, status };
}

function pickOrder({ items, total, currency, status }: Record<string, unknown>) {
  // The list is the product's own.
  const lines = items as { id: string; quantity: number; minor: number }[];
  return { items: lines.map(showLine), total, currency, status };
}

const pick = (whole: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, whole[key]]));
