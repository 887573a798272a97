import { isPositive, type Money, subtract, zero } from '../money/index.js';
import type {
  CreatedOrder,
  OrderDisputeRecorded,
  OrderPaid,
  OrderRefundRecorded,
} from '../order/index.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/** Whether a payment bought the order: points are for paid orders (rules/loyalty 2). */
export function isBought({ paidBy }: CreatedOrder): boolean {
  return paidBy !== null;
}

/**
 * An order was paid, or its money went back in whole or in part, by a refund or by a dispute that was lost: the
 * player's own stream records its amount, so that a claim is decided by that stream alone.
 */
export function recordOrderOfPlayer({
  data,
  state: order,
  revision: orderRevision,
}: ProcessInput<
  OrderPaid | OrderRefundRecorded | OrderDisputeRecorded,
  CreatedOrder
>): ProcessStep[] {
  const { orderId, player, paidAt } = order;
  if (paidAt === null) return [];
  const now = 'recordedAt' in data ? data.recordedAt : data.paidAt;
  const recorded = { orderId, orderRevision, spent: countSpent(order), paidAt };
  return [{ kind: 'loyalty', id: player, command: { kind: 'RecordOrder', order: recorded, now } }];
}

/** The amount paid without tax, less all refunds without their tax; never below 0. */
function countSpent({ quote: { amount, tax }, totalRefunded }: CreatedOrder): Money {
  const net = tax === null ? amount : subtract(amount, tax.amount);
  const spent = subtract(net, totalRefunded);
  return isPositive(spent) ? spent : zero(spent.currency);
}
