import { CHANGE_ROUTES } from './change.process.js';
import { CHECKOUT_ROUTES } from './checkout.process.js';
import { DISPUTE_ROUTES } from './dispute.process.js';
import { ORDER_ROUTES } from './order.process.js';
import { PLAN_CLAIM_ROUTES } from './plan-claim.process.js';
import type { ProcessRoute } from './process-route.js';
import { REFUND_ROUTES } from './refund.process.js';
import { RENEWAL_ROUTES } from './renewal.process.js';

/**
 * Every process there is (rules/events 9): the event that sets it going, its needs, and the pure function that returns
 * its steps. The worker and the life-cycle tests run these rows.
 */
export const PROCESS_ROUTES: readonly ProcessRoute[] = [
  ...CHECKOUT_ROUTES,
  ...RENEWAL_ROUTES,
  ...CHANGE_ROUTES,
  ...REFUND_ROUTES,
  ...DISPUTE_ROUTES,
  ...ORDER_ROUTES,
  ...PLAN_CLAIM_ROUTES,
];

/** The rows for an event; none for an event that sets nothing going. */
export function routesFor(type: string): readonly ProcessRoute[] {
  return PROCESS_ROUTES.filter(({ on }) => on === type);
}
