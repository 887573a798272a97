import { Inject, Injectable } from '@nestjs/common';
import { type CreatedOrder, orderAggregate } from '#domain/order';
import type { Shop } from '#domain/shop';
import { Ledger, LOG } from '#nest';
import { forEachConcurrently, type Log, warnSeldom } from '#platform';
import type { ReadModels } from '#projection-engine';
import { orders } from '#projections';
import { READ_MODELS } from '../../tokens.js';
import type { Visitor } from '../session/visitor.js';

/** Orders that a player is shown (rules/webshop 9): older ones the studio knows. */
const SHOWN = 100;
const LOADS_AT_ONCE = 16;

/** The orders of a player, in the shop or by links of the studio's backend (rules/webshop 9). */
@Injectable()
export class PlayerOrders {
  constructor(
    private readonly ledger: Ledger,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * As they stand in their own streams, the newest first. Those of the shop are known by the player's own stream, so
   * that an order is there as soon as it was made. @throws Fault of the store.
   */
  async list(visitor: Pick<Visitor, 'appId' | 'player'>, shop: Shop): Promise<CreatedOrder[]> {
    const ids = new Set(shop.orders.map(({ orderId }) => orderId));
    for (const orderId of await this.#findListed(visitor)) ids.add(orderId);
    // An id begins with its time.
    const newest = [...ids].sort().reverse().slice(0, SHOWN);
    const found = new Map<string, CreatedOrder>();
    await forEachConcurrently(newest, LOADS_AT_ONCE, async (orderId) => {
      const { state } = await this.ledger.load(orderAggregate, orderId);
      // One that was begun, and not made since, is none.
      if (state.status !== 'none') found.set(orderId, state);
    });
    return newest.flatMap((orderId) => found.get(orderId) ?? []);
  }

  /** Without Redis, a player is shown the orders of the shop alone. */
  async #findListed({
    appId,
    player,
  }: Pick<Visitor, 'appId' | 'player'>): Promise<readonly string[]> {
    try {
      const page = { player, limit: SHOWN };
      const { documents } = await this.readModels.ask(orders).list(appId, page);
      return documents.map(({ state }) => state.orderId);
    } catch (error) {
      warnSeldom(this.log, error, 'orders of payment links are not listed while Redis is away');
      return [];
    }
  }
}
