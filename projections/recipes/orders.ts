import { type Order, orderAggregate } from '#domain/order';
import type { StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';
import { idBehindTime, inOrderOfTime } from './in-order-of-time.js';

/** An order as the domain has it, in the list of its player (rules/orders 3). */
export const orderRecipe: StreamRecipe<Order> = {
  ...byAggregate(orderAggregate),
  render: (id, order) => {
    if (order.status === 'none') return { state: order, entries: [] };
    const list = ['player', order.appId, order.player] as const;
    return { state: order, entries: [inOrderOfTime(list, order.createdAt, id)] };
  },
  findId: (_, member) => idBehindTime(member),
};
