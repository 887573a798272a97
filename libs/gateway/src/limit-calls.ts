import { withTimeLimit } from '#platform';
import type { PaymentGateway } from './gateway.js';

/**
 * Banks take seconds, and seldom half a minute. A call that takes longer has an unknown outcome, and no
 * longer a place among those at the gateway (rules/payments 9).
 */
export const GATEWAY_CALL_LIMIT_MS = 30_000;

/**
 * The gateway with a limit on each of its calls. A late answer is ignored: the outcome stands in the gateway's books
 * under the key, and is found or asked for there.
 *
 * @param limitMs for one call; behind it the call throws Fault `unavailable`, retryable.
 */
export function limitCalls(
  gateway: PaymentGateway,
  limitMs: number = GATEWAY_CALL_LIMIT_MS,
): PaymentGateway {
  const limit = <T>(call: Promise<T>, what: string) =>
    withTimeLimit(call, limitMs, `the gateway, asked to ${what},`);
  const { cards } = gateway;
  return {
    ...(cards !== undefined && {
      cards: {
        origin: cards.origin,
        begin: (entry) => limit(cards.begin(entry), `take a card for ${entry.linkId}`),
        find: (session, linkId) => limit(cards.find(session, linkId), `find a card of ${linkId}`),
      },
    }),
    keyLifetimeMs: gateway.keyLifetimeMs,
    knows: (paymentMethod) => gateway.knows(paymentMethod),
    charge: (charge) => limit(gateway.charge(charge), `charge ${charge.key}`),
    refund: (refund) => limit(gateway.refund(refund), `refund ${refund.key}`),
    findCharge: (query) => limit(gateway.findCharge(query), `find ${query.key}`),
    findRefund: (query) => limit(gateway.findRefund(query), `find ${query.key}`),
  };
}
