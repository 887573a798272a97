import type { ModelShop } from './model.js';
import type { ModelMessage } from './model-order.js';
import type { GotMessage } from './shopper.js';

const V2 = /^(payment|dispute)\./;

/** By subjects. */
export function showMessages(model: ModelShop) {
  const carts = model.cart.sent.filter((sent) => sent.length > 0);
  return {
    carts: sorted(carts.map((sent) => sent.map(shown))),
    orders: Object.fromEntries(
      [...listTold(model)]
        .filter(([, told]) => told.length > 0)
        .map(([key, told]) => [key, told.map(shown)]),
    ),
    strays: [],
    claimed: model.claimed.map(({ id }) => id),
    milestones: model.milestones.map((milestoneId, at) => ({ milestoneId, sequence: at + 1 })),
  };
}

/** The same of the studio's messages. */
export function gather(got: readonly GotMessage[], model: ModelShop) {
  const of = (type: string) => got.filter((message) => message.type === type);
  const carts = new Map<unknown, unknown[]>();
  for (const { type, sequence, data } of of('MUTATE_CART')) {
    const sent = carts.get(data['cartId']) ?? [];
    sent.push(shown({ type, sequence, tells: { items: pieces(data) } }));
    carts.set(data['cartId'], sent);
  }
  return {
    carts: sorted([...carts.values()]),
    ...gatherOrders(got, listTold(model)),
    claimed: of('FREE_ITEM_REDEEMED')
      .filter(({ data }) => readKey(data) === undefined)
      .map(({ data }) => data['itemId']),
    milestones: of('LOYALTY_MILESTONE_CLAIMED').map(({ sequence, data }) => ({
      ...{ milestoneId: data['milestoneId'], sequence },
    })),
  };
}

/** Strays are messages of payments that no order of the model goes by: those of the shop give none (rules/orders 6). */
function gatherOrders(
  got: readonly GotMessage[],
  told: ReadonlyMap<string, readonly ModelMessage[]>,
) {
  const orders: Record<string, unknown[]> = {};
  const strays: string[] = [];
  for (const { type, sequence, data } of got) {
    const key = readKey(data);
    if (key === undefined && V2.test(type)) strays.push(type);
    if (key === undefined) continue;
    const sent = (orders[key] ??= []);
    const keys = Object.keys(told.get(key)?.[sent.length]?.tells ?? {});
    const tells = Object.fromEntries(
      keys.map((each) => [each, each === 'items' ? pieces(data) : data[each]]),
    );
    sent.push(shown({ type, sequence, tells }));
  }
  return { orders, strays };
}

/** The messages about each order. */
function listTold({ orders }: ModelShop): Map<string, ModelMessage[]> {
  return new Map(orders.map(({ key, sent }) => [key, sent]));
}

/** The order that a message is about: the studio's id of it, its own, or the studio's text of its link. */
function readKey(data: GotMessage['data']): string | undefined {
  // Metadata is an object wherever there is any, and ids are texts.
  const { orderId, transactionId, metadata } = data as {
    readonly orderId?: string;
    readonly transactionId?: string;
    readonly metadata?: { readonly order?: string };
  };
  return transactionId ?? orderId ?? metadata?.order;
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
