import type { Projection } from '#projection-engine/define';
import { dueDates } from './due-dates.projection.js';
import { payments } from './payments.projection.js';
import { plans } from './plans.projection.js';
import { subscriptions } from './subscriptions.projection.js';

export type { DueDate } from './due-dates.projection.js';
export { dueDates, payments, plans, subscriptions };

/** What the API answers from. */
export const documentProjections = [plans, subscriptions, payments];

/** Every read model there is; a new one is a line here (README, "Add something"). */
// Its methods take the state that they themselves gave, so the engine need not know its type.
export const projections: readonly Projection<unknown>[] = [...documentProjections, dueDates];
