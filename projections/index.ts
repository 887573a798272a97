import { payments } from './payments.projection.js';
import { plans } from './plans.projection.js';
import type { Projection } from './projection.js';
import { subscriptions } from './subscriptions.projection.js';

export * from './payments.projection.js';
export * from './plans.projection.js';
export * from './projection.js';
export * from './subscriptions.projection.js';

/** Every read model there is; a new one is a line here (README, "Add something"). */
// Its methods take the state that they themselves gave, so the engine need not know its type.
export const projections: readonly Projection<unknown>[] = [plans, subscriptions, payments];
