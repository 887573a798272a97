import type { GatewayNotice, PaymentGateway } from '#gateway';
import { Fault } from '#platform';

/** The subject of a call: its key, with the act behind it. */
type Call = <T>(name: string, act: () => Promise<T>) => Promise<T>;

/** A gateway all of whose calls go through another one. */
function through(gateway: PaymentGateway, call: Call): PaymentGateway {
  return {
    ...gateway,
    charge: (charge) => call(`charge ${charge.key}`, () => gateway.charge(charge)),
    refund: (refund) => call(`refund ${refund.key}`, () => gateway.refund(refund)),
    findCharge: (query) => call(`find ${query.key}`, () => gateway.findCharge(query)),
    findRefund: (query) => call(`find ${query.key}`, () => gateway.findRefund(query)),
  };
}

/** The first answer to each call is lost: its work is done all the same. */
export function losingAnswers(gateway: PaymentGateway, lost: Set<string>): PaymentGateway {
  return through(gateway, async (name, act) => {
    const answer = await act();
    if (lost.has(name)) return answer;
    lost.add(name);
    throw new Fault('unavailable', `the answer to ${name} was lost`, { retryable: true });
  });
}

/** Tells the outcome of each charge by a notice before it answers the call, which may then be lost. */
export function tellingFirst(
  gateway: PaymentGateway,
  tell: (notice: GatewayNotice) => Promise<void>,
): PaymentGateway {
  return {
    ...gateway,
    charge: async (charge) => {
      const answer = await gateway.charge(charge).catch((error: unknown) => error);
      const found = await gateway.findCharge(charge);
      if (found.status === 'captured' || found.status === 'declined') {
        const { key: chargeKey, amount } = charge;
        await tell({ kind: 'charge_settled', chargeKey, outcome: found, amount });
      }
      if (answer instanceof Error) throw answer;
      return gateway.charge(charge);
    },
  };
}

/**
 * Forgets a key when its life is over: it is then charged, or refunded, anew, and found as it was first. The
 * keys' first uses are kept outside, as the gateway's own memory.
 */
export function forgettingKeys(
  gateway: PaymentGateway,
  memory: { readonly usedAtMs: Map<string, number>; readonly nowMs: () => number },
): PaymentGateway {
  const { usedAtMs, nowMs } = memory;
  const fresh = (key: string): string => {
    const firstAtMs = usedAtMs.get(key);
    if (firstAtMs === undefined) usedAtMs.set(key, nowMs());
    const isForgotten = nowMs() - (firstAtMs ?? nowMs()) > gateway.keyLifetimeMs;
    return isForgotten ? fresh(`${key}+`) : key;
  };
  return {
    ...gateway,
    charge: (charge) => gateway.charge({ ...charge, key: fresh(charge.key) }),
    refund: (refund) => gateway.refund({ ...refund, key: fresh(refund.key) }),
  };
}
