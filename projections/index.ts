import { payments } from './payments.projection.js';
import { plans } from './plans.projection.js';
import type { Projection } from './projection.js';
import { subscriptions } from './subscriptions.projection.js';

export { paymentList } from './payments.projection.js';
export { type PlanFilter, planList, planWithCode } from './plans.projection.js';
export type { IndexEntry, IndexName, Projection } from './projection.js';
export {
  dueDateList,
  type SubscriptionFilter,
  subscriptionList,
} from './subscriptions.projection.js';
export { payments, plans, subscriptions };

/** Every read model there is; a new one is a line here (README, "Add something"). */
// Its methods take the state that they themselves gave, so the engine need not know its type.
export const projections: readonly Projection<unknown>[] = [plans, subscriptions, payments];
