import { toMilliseconds } from '#domain/calendar';
import type { EventMetadata, Instant, RecordedEvent } from '#domain/event';
import {
  type CreatedOrder,
  lastOrderAttempt,
  openAttempts,
  type Order,
  orderAggregate,
  orderDueAt,
} from '#domain/order';
import {
  awaitedCharge,
  nextDueAt,
  type StartedSubscription,
  type Subscription,
  subscriptionAggregate,
} from '#domain/subscription';
import type { IndexEntry, Rendered, StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';

const bySubscription = byAggregate(subscriptionAggregate);
const byOrder = byAggregate(orderAggregate);

/** All of the subscription or of the order, with the app of its first event. */
interface Subject {
  readonly subscription: Subscription;
  readonly order: Order;
  readonly of: Pick<EventMetadata, 'appId' | 'environment'> | undefined;
}

/** The due dates of a whole subscription or order (rules/lifecycle 8, rules/orders 5). */
export const dueDateRecipe: StreamRecipe<Subject> = {
  of: 'stream',
  streamName: (id) => (id.startsWith('ord_') ? byOrder : bySubscription).streamName(id),
  initial: { subscription: bySubscription.initial, order: byOrder.initial, of: undefined },
  fold: ({ subscription, order, of }, event) => {
    const isOfOrder = event.type.startsWith('order.');
    return {
      subscription: isOfOrder ? subscription : bySubscription.fold(subscription, event),
      order: isOfOrder ? byOrder.fold(order, event) : order,
      of: of ?? readApp(event),
    };
  },
  render: (id, { subscription, order, of }, revision) => {
    if (of === undefined) return NOTHING_DUE;
    if (subscription.status !== 'none') {
      const dueAt = nextDueAt(subscription);
      const state = { ...progress(subscription), ...of };
      return { state, entries: list(id, { ...of, revision, dueAt, waits: waits(subscription) }) };
    }
    if (order.status === 'none' || isOver(order)) return NOTHING_DUE;
    const waitsFor = attempts(order).map(({ paymentId, attemptedAt: askedAt }) => ({
      ...{ paymentId, askedAt },
    }));
    const due = { ...of, revision, dueAt: orderDueAt(order), waits: waitsFor };
    return { state: { ...schedule(order), ...of }, entries: list(id, due) };
  },
  findId: (_, member) => member.split(' ')[1] ?? '',
};

const NOTHING_DUE: Rendered = { state: { status: 'none' }, entries: [] };

function readApp({ metadata: { appId, environment } }: RecordedEvent) {
  return { appId, environment };
}

/** The fields that decide when a subscription goes on by itself. */
function progress({ status, periodsPaid, currentPeriodEnd, ...rest }: StartedSubscription) {
  const { canceledAt, cancelAtPeriodEnd, expiredAt, dunning, messageCount } = rest;
  const { pendingCharge, pendingChange, scheduledChange } = rest;
  return {
    ...{ status, periodsPaid, currentPeriodEnd, canceledAt, cancelAtPeriodEnd, expiredAt },
    ...{ dunning, messageCount, pendingCharge, pendingChange, scheduledChange },
  };
}

function waits(subscription: StartedSubscription) {
  const charge = awaitedCharge(subscription);
  return charge === null ? [] : [{ paymentId: charge.paymentId, askedAt: charge.requestedAt }];
}

function isOver(order: CreatedOrder): boolean {
  return order.status !== 'OPEN' && openAttempts(order).length === 0;
}

function schedule(order: CreatedOrder) {
  const { status, expiresAt } = order;
  return {
    ...{ status: 'ordered', isOpen: status === 'OPEN', expiresAt, openAttempts: attempts(order) },
    lastAttempt: lastOrderAttempt(order)?.attempt ?? 0,
  };
}

function attempts(order: CreatedOrder) {
  return openAttempts(order).map(({ attempt, paymentId, attemptedAt }) => ({
    ...{ attempt, paymentId, attemptedAt },
  }));
}

interface Due extends Pick<EventMetadata, 'appId' | 'environment'> {
  readonly revision: number;
  readonly dueAt: Instant | null;
  /** Charges without an outcome. */
  readonly waits: readonly { readonly paymentId: string; readonly askedAt: Instant }[];
}

/** A test app has lists of its own: its clock is not the wall clock. */
function list(id: string, { appId, environment, revision, dueAt, waits }: Due): IndexEntry[] {
  const isTest = environment === 'test';
  const due = { member: `${appId} ${id} ${revision}`, score: toMilliseconds(dueAt ?? '') };
  return [
    ...(dueAt === null ? [] : [{ index: ['all'] as const, ...due }]),
    ...(dueAt === null || !isTest ? [] : [{ index: ['test-app', appId] as const, ...due }]),
    ...(isTest ? waits : []).map(({ paymentId, askedAt }) => ({
      index: ['pending-in-test-app', appId] as const,
      member: `${paymentId} ${id}`,
      score: toMilliseconds(askedAt),
    })),
  ];
}
