import {
  type StartedSubscription,
  type Subscription,
  subscriptionAggregate,
  type SubscriptionStatus,
} from '#domain/subscription';
import {
  ANY,
  byCreation,
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  foldedBy,
  type IndexName,
  type Projection,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';

interface SubscriptionFilter {
  readonly player?: string | undefined;
  readonly status?: SubscriptionStatus | undefined;
}

interface SubscriptionQueries {
  byId(id: string): Promise<Document<StartedSubscription> | undefined>;
  /** Newest first; without a player, of all players of the app. */
  list(
    appId: string,
    options: SubscriptionFilter & DocumentPageOptions,
  ): Promise<DocumentPage<StartedSubscription>>;
}

/** Which subscriptions has an app, or a player? (rules/api 16) */
export const subscriptions: Projection<Subscription, SubscriptionQueries> = {
  ...foldedBy(subscriptionAggregate),
  name: 'subscriptions',
  version: 4,
  indexes: (id, subscription) => {
    if (subscription.status === 'none') return [];
    const { appId, player, status, createdAt } = subscription;
    const lists = [
      subscriptionList(appId, {}),
      subscriptionList(appId, { status }),
      subscriptionList(appId, { player }),
      subscriptionList(appId, { player, status }),
    ];
    return lists.map((list) => byCreation(list, createdAt, id));
  },
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    list: async (appId, { player, status, ...options }) => {
      const index = subscriptionList(appId, { player, status });
      const where = player === undefined ? 'everywhere' : { player };
      return pageOfExisting(await read.page(index, where, options));
    },
  }),
};

/** The subscriptions of an app, or of one of its players. */
function subscriptionList(appId: string, filter: SubscriptionFilter): IndexName {
  return ['subscriptions', appId, filter.player ?? ANY, filter.status ?? ANY];
}
