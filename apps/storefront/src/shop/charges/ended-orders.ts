import { Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { type CreatedOrder, isAttempting, type Order, orderAggregate } from '#domain/order';
import { isRecent, type OpenCart, type Shop } from '#domain/shop';
import { Ledger } from '#nest';
import { DeliveredPurchases } from './delivered-purchases.js';

/** Between the event that counts the items of an order and the attempt that it is for: a crash may part them. */
const ATTEMPT_FOLLOWS_MS = 30_000;

type Charge = Shop['charges'][number];

/** The ends of charged orders, by their own streams (rules/webshop 5). */
@Injectable()
export class EndedOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly delivered: DeliveredPurchases,
  ) {}

  /** Orders whose items count no more: nothing came of them, or the studio has its webhook. @throws Fault of the store. */
  async find({ charges }: Shop, now: Instant): Promise<ReadonlySet<string>> {
    const ended = charges.map(async (charge) =>
      (await this.#isOver(charge, now)) ? [charge.orderId] : [],
    );
    return new Set((await Promise.all(ended)).flat());
  }

  /**
   * The order of a cart that was paid, which closes the cart: one at most, and as a rule that of the last checkout, which
   * is known also where many orders came after it. @throws Fault of the store.
   */
  async findPaid({ orders }: Shop, cart: OpenCart): Promise<CreatedOrder | undefined> {
    const ofCart = orders.filter(({ cartId }) => cartId === cart.cartId);
    const ids = new Set(ofCart.map(({ orderId }) => orderId));
    if (cart.orderId !== null) ids.add(cart.orderId);
    const found = await Promise.all([...ids].map((orderId) => this.#findPaid(orderId)));
    return found.find((order) => order !== undefined);
  }

  async #findPaid(orderId: string): Promise<CreatedOrder | undefined> {
    const order = await this.#load(orderId);
    return order.status === 'none' || order.paidAt === null ? undefined : order;
  }

  async #isOver(charge: Charge, now: Instant): Promise<boolean> {
    const order = await this.#load(charge.orderId);
    if (!countsNoMore(order, charge, now)) return false;
    return !wasPaid(order) || this.delivered.hasOrder(charge.orderId);
  }

  /** From memory where the order has ended: its counted part does not change any more. @throws Fault of the store. */
  async #load(orderId: string): Promise<Order> {
    const known = this.ledger.recall(orderAggregate, orderId)?.state;
    if (known !== undefined && known.status !== 'none' && known.status !== 'OPEN') return known;
    return (await this.ledger.load(orderAggregate, orderId)).state;
  }
}

function wasPaid(order: Order): boolean {
  return order.status !== 'none' && order.paidAt !== null;
}

/** Whether nothing came of it, or it was paid some time ago: then its webhook has to be delivered as well. */
export function countsNoMore(
  order: Order,
  { requestedAt }: Pick<Charge, 'requestedAt'>,
  now: Instant,
): boolean {
  if (order.status === 'none') return true;
  if (order.paidAt !== null) return !isRecent(order.paidAt, now);
  if (isAttempting(order)) return false;
  if (order.status !== 'OPEN') return true;
  // A decline of the attempt that it was for; before that, the attempt may be about to begin.
  const hasBegun = order.attempts.some(({ attemptedAt }) => attemptedAt >= requestedAt);
  return hasBegun || addMilliseconds(requestedAt, ATTEMPT_FOLLOWS_MS) <= now;
}
