import type { Projection } from '#projection-engine/define';
import { apps } from './apps.projection.js';
import { dueDates } from './due-dates.projection.js';
import { orders } from './orders.projection.js';
import { payments } from './payments.projection.js';
import { plans } from './plans.projection.js';
import { subscriptions } from './subscriptions.projection.js';
import { testClocks } from './test-clocks.projection.js';

export type { ListedApp } from './apps.projection.js';
export type { DueDate, PendingCharge } from './due-dates.projection.js';
export { apps, dueDates, orders, payments, plans, subscriptions, testClocks };

/** The read models of the API. */
export const documentProjections = [apps, plans, subscriptions, payments, orders];

/** Every read model there is; a new one is a line here (README, "Add something"). */
// Its methods take the state that they themselves gave, so the engine need not know its type.
export const projections: readonly Projection<unknown>[] = [
  ...documentProjections,
  dueDates,
  testClocks,
];
