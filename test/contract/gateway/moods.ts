import type { PaymentGateway } from '#gateway';
import { Fault } from '#platform';

/** What a call is about: its key, behind what is done with it. */
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

/** The first answer to each call is lost: what was asked for is done all the same. */
export function losingAnswers(gateway: PaymentGateway, lost: Set<string>): PaymentGateway {
  return through(gateway, async (name, act) => {
    const answer = await act();
    if (lost.has(name)) return answer;
    lost.add(name);
    throw new Fault('unavailable', `the answer to ${name} was lost`, { retryable: true });
  });
}

/** The first call of each kind does what it is asked for, and is never answered. */
export function hanging(gateway: PaymentGateway, hung: Set<string>): PaymentGateway {
  return through(gateway, async (name, act) => {
    const answer = await act();
    if (hung.has(name)) return answer;
    hung.add(name);
    return new Promise<never>(() => undefined);
  });
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
