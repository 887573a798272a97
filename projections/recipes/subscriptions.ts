import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';
import { idBehindTime, inOrderOfTime } from './in-order-of-time.js';

/** A subscription as the domain has it, in the lists of its app and of its player by status (rules/api 16). */
export const subscriptionRecipe: StreamRecipe<Subscription> = {
  ...byAggregate(subscriptionAggregate),
  render: (id, subscription) => {
    if (subscription.status === 'none') return { state: subscription, entries: [] };
    const { appId, player, status, createdAt } = subscription;
    return {
      state: subscription,
      entries: [
        inOrderOfTime(['app', appId, status], createdAt, id),
        inOrderOfTime(['player', appId, player, status], createdAt, id),
      ],
    };
  },
  findId: (_, member) => idBehindTime(member),
};
