import { type CreatedOrder, type Order, orderAggregate } from '#domain/order';
import {
  byCreation,
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  foldedBy,
  type IndexName,
  type Projection,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';
import { orderRecipe } from './recipes/orders.js';

interface OrderQueries {
  byId(id: string): Promise<Document<CreatedOrder> | undefined>;
  /** Of a player of an app, newest first. */
  list(
    appId: string,
    options: { readonly player: string } & DocumentPageOptions,
  ): Promise<DocumentPage<CreatedOrder>>;
}

/** What has a player ordered? (rules/orders 3) */
export const orders: Projection<Order, OrderQueries> = {
  ...foldedBy(orderAggregate),
  name: 'orders',
  version: 1,
  indexes: (id, order) => {
    if (order.status === 'none') return [];
    return [byCreation(playerList(order.appId, order.player), order.createdAt, id)];
  },
  recipe: orderRecipe,
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    list: async (appId, { player, ...options }) =>
      pageOfExisting(await read.page([playerList(appId, player)], { player }, options)),
  }),
};

function playerList(appId: string, player: string): IndexName {
  return ['player', appId, player];
}
