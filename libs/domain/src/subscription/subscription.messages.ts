import type { SubscriptionEvent } from './subscription.events.js';

/**
 * How many messages to merchants an event gives rise to (rules/webhooks 5). The fold adds them up, so
 * that a message's number follows from its subject's stream alone. The catalogue of webhooks says which
 * messages they are, and is tested against this count.
 */
export function countMessages(event: SubscriptionEvent): number {
  switch (event.type) {
    case 'subscription.created.v1':
      return event.data.initialPayment === null ? 1 : 2;
    // The payment's outcome, then what it means for the subscription.
    case 'subscription.renewed.v1':
    case 'subscription.renewal_failed.v1':
      return 2;
    case 'subscription.late_outcome_recorded.v1':
    case 'subscription.refund_recorded.v1':
    case 'subscription.canceled.v1':
    case 'subscription.reactivated.v1':
    case 'subscription.expired.v1':
      return 1;
    case 'subscription.renewal_requested.v1':
      return 0;
    default:
      return unknownEvent(event);
  }
}

/** The compiler asks for a case when an event is added; a newer release's event is none of ours. */
function unknownEvent(_event: never): number {
  return 0;
}
