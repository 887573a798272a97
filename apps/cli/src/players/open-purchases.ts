import { checkoutLinkAggregate } from '#domain/checkout-link';
import { openAttempts, type Order, orderAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { awaitedCharge, type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import type { Purchases } from './purchases.js';

/** Why a player cannot be erased yet (rules/storage 16). */
export interface OpenPurchase {
  readonly kind: 'subscription' | 'order' | 'payment' | 'dispute' | 'checkout';
  readonly id: string;
  readonly status: string;
}

/** The way to end each kind, for a person who wants the player erased. */
const WHAT_TO_DO: Readonly<Record<OpenPurchase['kind'], string>> = {
  subscription: 'end it, or erase with --cancel, which ends it at once',
  order: 'wait until it is paid or has run out, or erase with --cancel, which ends it',
  payment: 'wait until the gateway has its outcome',
  dispute: 'wait until the dispute is closed',
  checkout: "wait until the player's payment has an outcome",
};

/** One line for each. */
export function describeOpen(open: readonly OpenPurchase[]): string[] {
  return open.map(({ kind, id, status }) => `${kind} ${id} is ${status}: ${WHAT_TO_DO[kind]}`);
}

/** The player's purchases that have not ended, as the store has them now. @throws Fault. */
export async function findOpen(
  commands: CommandExecutor,
  purchases: Purchases,
): Promise<OpenPurchase[]> {
  const open: OpenPurchase[] = [];
  for (const id of purchases.list(subscriptionAggregate)) {
    const { state } = await commands.load(subscriptionAggregate, id);
    open.push(...openSubscription(id, state));
  }
  for (const id of purchases.list(orderAggregate)) {
    const { state } = await commands.load(orderAggregate, id);
    open.push(...openOrder(id, state));
  }
  for (const id of purchases.list(paymentAggregate)) {
    const { state } = await commands.load(paymentAggregate, id);
    if (state.status === 'DISPUTED') open.push({ kind: 'dispute', id, status: 'open' });
    if (state.status === 'PENDING') open.push({ kind: 'payment', id, status: state.status });
  }
  for (const id of purchases.list(checkoutLinkAggregate)) {
    const { state } = await commands.load(checkoutLinkAggregate, id);
    if (state.status === 'attempting') open.push({ kind: 'checkout', id, status: 'under way' });
  }
  // A charge that was asked for may have no stream yet, and be in one all the same.
  return [...new Map(open.map((each) => [`${each.kind} ${each.id}`, each])).values()];
}

/** A charge that has no outcome is open also where its subscription has ended: its money is given back. */
function openSubscription(id: string, state: Subscription): OpenPurchase[] {
  if (state.status === 'none') return [];
  const { status } = state;
  const awaited = awaitedCharge(state);
  const open: OpenPurchase[] = [];
  if (status !== 'expired') open.push({ kind: 'subscription', id, status });
  if (awaited !== null) {
    open.push({ kind: 'payment', id: awaited.paymentId, status: 'PENDING' });
  }
  return open;
}

/** An attempt without an outcome is open also where its order was paid by another one, or has ended. */
function openOrder(id: string, state: Order): OpenPurchase[] {
  if (state.status === 'none') return [];
  const attempts = openAttempts(state).map(({ paymentId }) => ({
    ...{ kind: 'payment' as const, id: paymentId, status: 'PENDING' },
  }));
  return state.status === 'OPEN' ? [{ kind: 'order', id, status: 'OPEN' }, ...attempts] : attempts;
}
