import type { NotedPayment } from '#domain/payment';
import type { World } from './world.js';

/** The payments of a subscription, in the order in which they were asked for. */
export async function listPaymentIds(world: World, subscriptionId: string): Promise<string[]> {
  const events = await world.events(`subscription-${subscriptionId}`);
  return events.flatMap(({ type, data }) => {
    // Each event's type determines its payload.
    const { paymentId, initialPayment } = data as {
      paymentId: string;
      initialPayment: NotedPayment | null;
    };
    if (type === 'subscription.renewal_requested.v1') return [paymentId];
    if (type !== 'subscription.created.v2' || initialPayment === null) return [];
    return [initialPayment.paymentId];
  });
}
