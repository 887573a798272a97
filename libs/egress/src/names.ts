import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Finds every address of a name. @throws the resolver's error where there is none, or once it is aborted. */
export type LookUp = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** A server that does not answer is asked twice: about 3 s of the 5 s that a connection has. */
const DNS_TIMEOUT_MS = 1_000;
const DNS_TRIES = 2;

/** RFC 6761: the addresses of these names, whatever a resolver says. */
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Whether a host, as the URL parser writes it, is a name of this machine (RFC 6761). */
export function isLoopbackName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * Names are asked of DNS itself and not of the system's `getaddrinfo`, which holds one of four threads for
 * as long as a server does not answer: a few endpoints whose names hang would stop the look-ups, and the
 * files, of everything else. Each look-up has a resolver of its own, with the servers of that moment.
 *
 * @param servers other ones than the machine's, `address:port`.
 */
export function createLookUp(servers?: readonly string[]): LookUp {
  return async (hostname, signal) => {
    if (isLoopbackName(hostname)) return LOOPBACK;
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    signal.removeEventListener('abort', cancel);
    const found = [...addresses(v4, 4), ...addresses(v6, 6)];
    if (found.length > 0) return found;
    // Where there are addresses of no family, that there are none of the first one says enough.
    throw v4.status === 'rejected' ? v4.reason : new Error(`${hostname} has no address`);
  };
}

function addresses(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));
}
