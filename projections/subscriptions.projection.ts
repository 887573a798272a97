import { toMilliseconds } from '#domain/calendar';
import {
  nextDueAt,
  type Subscription,
  subscriptionAggregate,
  type SubscriptionStatus,
} from '#domain/subscription';
import { ANY, byCreation, foldedBy, type IndexName, type Projection } from './projection.js';

export interface SubscriptionFilter {
  readonly player?: string | undefined;
  readonly status?: SubscriptionStatus | undefined;
}

/** The subscriptions of an app, or of one of its players. */
export function subscriptionList(appId: string, filter: SubscriptionFilter = {}): IndexName {
  return ['subscriptions', appId, filter.player ?? ANY, filter.status ?? ANY];
}

/** The subscriptions of an app for which something will be due, by that time. */
export function dueDateList(appId: string): IndexName {
  return ['due-dates', appId];
}

/** Which subscriptions has an app, or a player, and which of them are due? (rules/api 16) */
export const subscriptions: Projection<Subscription> = {
  ...foldedBy(subscriptionAggregate),
  name: 'subscriptions',
  version: 3,
  indexes: (id, subscription) => {
    if (subscription.status === 'none') return [];
    const { appId, player, status, createdAt } = subscription;
    const lists = [
      subscriptionList(appId),
      subscriptionList(appId, { status }),
      subscriptionList(appId, { player }),
      subscriptionList(appId, { player, status }),
    ];
    const entries = lists.map((list) => byCreation(list, createdAt, id));
    const dueAt = nextDueAt(subscription);
    if (dueAt === null) return entries;
    return [...entries, { index: dueDateList(appId), member: id, score: toMilliseconds(dueAt) }];
  },
};
