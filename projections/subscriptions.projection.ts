import {
  type StartedSubscription,
  type Subscription,
  subscriptionAggregate,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '#domain/subscription';
import {
  byCreation,
  codecByFields,
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  foldedBy,
  ID,
  type IndexName,
  INSTANT,
  type Projection,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';
import { subscriptionRecipe } from './recipes/subscriptions.js';

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
  /** Those of the app that are renewed, newest first: not canceled, and not over. */
  listRenewed(
    appId: string,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<StartedSubscription>>;
}

const RENEWED = ['active', 'past_due'] as const satisfies readonly SubscriptionStatus[];

/** Fields in the order in which they are stored, with their usual values. */
const STORED = {
  ...{ status: 'active', appId: '', player: '', planId: '' },
  price: { amountMinor: '', currency: 'USD' },
  period: { value: 1, unit: 'month' },
  ...{ paymentMethod: '', checkoutLinkId: '', createdAt: INSTANT, billingAnchor: INSTANT },
  ...{ priceLockedAt: INSTANT, currentPeriodStart: INSTANT, currentPeriodEnd: INSTANT },
  ...{ billingDay: 0, periodsPaid: 0, messageCount: 0, paidBy: null, regionCode: '' },
  ...{ personal: {}, trial: null, trialEnd: INSTANT, periodsBeforeAnchor: 0 },
  ...{ canceledAt: INSTANT, cancelAtPeriodEnd: false, expiredAt: INSTANT, dunning: null },
  ...{ pendingCharge: null, pendingChange: null, scheduledChange: null, lateCaptures: [] },
  ...{ claimId: '', scheduledClaimId: '', freedClaimIds: [], subscriptionId: ID },
};

/** Which subscriptions has an app, or a player? (rules/api 16) */
export const subscriptions: Projection<Subscription, SubscriptionQueries> = {
  ...foldedBy(subscriptionAggregate),
  name: 'subscriptions',
  version: 14,
  documents: { of: 'stream' },
  codec: codecByFields<Subscription>(STORED),
  indexes: (id, subscription) => {
    if (subscription.status === 'none') return [];
    const { appId, player, status, createdAt } = subscription;
    const lists = [appList(appId, status), playerList(appId, player, status)];
    return lists.map((list) => byCreation(list, createdAt, id));
  },
  recipe: subscriptionRecipe,
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    list: async (appId, { player, status, ...options }) => {
      const statuses = status === undefined ? SUBSCRIPTION_STATUSES : [status];
      const [lists, where] =
        player === undefined
          ? [statuses.map((each) => appList(appId, each)), 'everywhere' as const]
          : [statuses.map((each) => playerList(appId, player, each)), { player }];
      return pageOfExisting(await read.page(lists, where, options));
    },
    listRenewed: async (appId, options) => {
      const lists = RENEWED.map((status) => appList(appId, status));
      return pageOfExisting(await read.page(lists, 'everywhere', options));
    },
  }),
};

/** The subscriptions of an app in one status; those in any are all of these lists. */
function appList(appId: string, status: SubscriptionStatus): IndexName {
  return ['app', appId, status];
}

/** Those of one of its players. */
function playerList(appId: string, player: string, status: SubscriptionStatus): IndexName {
  return ['player', appId, player, status];
}
