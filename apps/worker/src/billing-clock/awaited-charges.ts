import type { Instant, Position } from '#domain/event';
import { openAttempts, type Order, orderAggregate, orderAttemptEndsAt } from '#domain/order';
import { awaitedCharge, type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';

/** A charge without an outcome that its subject has taken. */
export interface AwaitedCharge {
  readonly paymentId: string;
  /** By the app's clock. */
  readonly givenUpAt: Instant;
}

/** Whether an order asks for charges, by its id; else a subscription does. */
export function isOrderId(subjectId: string): boolean {
  return subjectId.startsWith('ord_');
}

export function listAwaitedOfSubscription(state: Subscription): readonly AwaitedCharge[] {
  const awaited = state.status === 'none' ? null : awaitedCharge(state);
  return awaited === null ? [] : [awaited];
}

/** Those of attempts that were replaced among them, the oldest first. */
export function listAwaitedOfOrder(state: Order): readonly AwaitedCharge[] {
  if (state.status === 'none') return [];
  return openAttempts(state).map((attempt) => ({
    paymentId: attempt.paymentId,
    givenUpAt: orderAttemptEndsAt(attempt),
  }));
}

/** Of a subscription or order, as the store has it. @throws Fault of the store. */
export async function loadAwaited(
  commands: Pick<CommandExecutor, 'load'>,
  subjectId: string,
): Promise<{ readonly awaited: readonly AwaitedCharge[]; readonly position: Position | null }> {
  if (isOrderId(subjectId)) {
    const { state, position } = await commands.load(orderAggregate, subjectId);
    return { awaited: listAwaitedOfOrder(state), position };
  }
  const { state, position } = await commands.load(subscriptionAggregate, subjectId);
  return { awaited: listAwaitedOfSubscription(state), position };
}
