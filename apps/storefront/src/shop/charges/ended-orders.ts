import { Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { isAttempting, type Order, orderAggregate } from '#domain/order';
import { isRecent, type Shop } from '#domain/shop';
import { Ledger } from '#nest';

/** Between the event that counts the items of an order and the attempt that it is for: a crash may part them. */
const ATTEMPT_FOLLOWS_MS = 30_000;

type Charge = Shop['charges'][number];

/** What became of orders that were charged for, as their own streams tell (rules/webshop 5). */
@Injectable()
export class EndedOrders {
  constructor(private readonly ledger: Ledger) {}

  /** Orders whose items count no more: nothing came of them, or the studio has its webhook. @throws Fault of the store. */
  async find({ charges }: Shop, now: Instant): Promise<ReadonlySet<string>> {
    const ended = charges.map(async (charge) => {
      const { state } = await this.ledger.load(orderAggregate, charge.orderId);
      return countsNoMore(state, charge, now) ? [charge.orderId] : [];
    });
    return new Set((await Promise.all(ended)).flat());
  }

  /** Whether the order of a cart was paid, which closes the cart. @throws Fault of the store. */
  async isPaid(orderId: string): Promise<boolean> {
    const { state } = await this.ledger.load(orderAggregate, orderId);
    return state.status !== 'none' && state.paidAt !== null;
  }
}

/** Of one that was paid, the studio has a webhook within minutes. */
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
