import type { Aggregate } from '../decider/index.js';
import type { SubscriptionCommand, SubscriptionRejection } from './subscription.commands.js';
import { subscriptionDecider } from './subscription.decide.js';
import type { SubscriptionEvent } from './subscription.events.js';
import type { Subscription } from './subscription.state.js';

export * from './subscription.commands.js';
export * from './subscription.decide.js';
export * from './subscription.events.js';
export * from './subscription.state.js';

export const subscriptionAggregate: Aggregate<
  Subscription,
  SubscriptionCommand,
  SubscriptionEvent,
  SubscriptionRejection
> = { category: 'subscription', decider: subscriptionDecider };
