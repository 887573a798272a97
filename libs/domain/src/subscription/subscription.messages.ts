import type { SubscriptionEvent } from './subscription.events.js';

const ONE_MESSAGE: ReadonlySet<string> = new Set<SubscriptionEvent['type']>([
  'subscription.change_declined.v1',
  'subscription.credit_refund_failed.v1',
  'subscription.late_outcome_recorded.v1',
  'subscription.refund_recorded.v1',
  'subscription.currency_change_scheduled.v1',
  'subscription.dispute_recorded.v1',
  'subscription.region_changed.v1',
  'subscription.canceled.v1',
  'subscription.reactivated.v1',
  'subscription.expired.v1',
]);

/**
 * How many messages to merchants an event gives rise to (rules/webhooks 5). The fold adds them up, so
 * that a message's number follows from its subject's stream alone. An event that is not named here gives rise to
 * none. The catalogue of webhooks says which messages they are, and is tested against this count.
 */
export function countMessages(event: SubscriptionEvent): number {
  switch (event.type) {
    case 'subscription.created.v2':
      return event.data.initialPayment === null ? 1 : 2;
    // The payment's outcome, then its meaning for the subscription.
    case 'subscription.renewed.v1':
    case 'subscription.renewal_failed.v2':
      return 2;
    case 'subscription.plan_changed.v1':
      return event.data.payment === null ? 1 : 2;
    default:
      return ONE_MESSAGE.has(event.type) ? 1 : 0;
  }
}
