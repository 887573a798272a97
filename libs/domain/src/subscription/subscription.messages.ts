import type { SubscriptionEvent } from './subscription.events.js';

/**
 * How many messages to merchants an event gives rise to (rules/webhooks 5). The fold adds them up, so
 * that a message's number follows from its subject's stream alone. An event without a case gives rise to
 * none. The catalogue of webhooks says which messages they are, and is tested against this count.
 */
export function countMessages(event: SubscriptionEvent): number {
  switch (event.type) {
    case 'subscription.created.v2':
      return event.data.initialPayment === null ? 1 : 2;
    // The payment's outcome, then what it means for the subscription.
    case 'subscription.renewed.v1':
    case 'subscription.renewal_failed.v2':
      return 2;
    case 'subscription.plan_changed.v1':
      return event.data.payment === null ? 1 : 2;
    case 'subscription.change_declined.v1':
    case 'subscription.late_outcome_recorded.v1':
    case 'subscription.refund_recorded.v1':
    case 'subscription.dispute_recorded.v1':
    case 'subscription.region_changed.v1':
    case 'subscription.canceled.v1':
    case 'subscription.reactivated.v1':
    case 'subscription.expired.v1':
      return 1;
    default:
      return 0;
  }
}
