import type { LookupAddress } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { buildConnector } from 'undici';
import connectTo from 'undici/lib/core/connect.js';
import { type StopSignal, withSignal } from '#platform';
import { isForbiddenAddress, type TargetRules } from './address.js';
import { createLookUp, type LookUp } from './names.js';
import { openTunnel } from './proxy.js';
import { ProxyWatch } from './proxy-watch.js';
import { destroy, openSocket } from './socket.js';

/** An attempt has 15 s in all: a connection that takes longer than this is given up. */
const CONNECT_LIMIT_MS = 5_000;

/** How requests of ours leave, whatever their target. */
export interface EgressOptions {
  /** Other than that of the machine's DNS servers: for tests. */
  readonly lookUp?: LookUp;
  /** Certificates of authorities that are trusted beside those that Node.js brings, in PEM. */
  readonly authorities?: readonly string[];
  /** An http proxy through which all goes that leaves the machine. */
  readonly proxy?: URL;
}

/** A socket to a target, and the target's address, also where a proxy stands between. */
export interface Connected {
  readonly socket: Socket;
  readonly remoteAddress: string;
  readonly isProxied: boolean;
}

/** Connects to a target, unless the rules forbid where it leads. */
export type Connect = (target: buildConnector.Options, signal: StopSignal) => Promise<Connected>;

/** The target resolved to, or was connected at, an address that its scheme may not reach (rules/http 1). */
class ForbiddenTarget extends Error {
  readonly code = 'ERR_FORBIDDEN_TARGET';

  constructor(hostname: string) {
    super(`${hostname} leads to an address that is not public, or is not for http`);
    this.name = 'ForbiddenTarget';
  }
}

/**
 * A connector for targets that others gave us. It refuses on every resolved address, connects to these and
 * to no others, and looks once more at the connected socket before a byte is sent, so that a name that
 * resolves differently each time gains nothing. A proxy is given the address and not the name, for the same
 * reason. One for each set of rules: a TLS session that was begun under lax rules is not taken up under
 * strict ones.
 *
 * @param watch what is known of the proxy, under whatever rules it is asked.
 * @throws ForbiddenTarget; ProxyFailed; the signal's reason; or what the connection failed with.
 */
export function createConnect(
  rules: TargetRules,
  options: EgressOptions = {},
  watch = new ProxyWatch(),
): Connect {
  const { lookUp = createLookUp(), proxy } = options;
  const { authorities = [] } = options;
  // Given any, Node.js forgets its own.
  const trusted = authorities.length > 0 ? { ca: [...rootCertificates, ...authorities] } : {};
  const begin = connectTo({ timeout: 0, secureContext: createSecureContext(trusted) });
  const connect = async (target: buildConnector.Options, signal: AbortSignal) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    const scheme = target.protocol === 'https:' ? 'https:' : 'http:';
    const addresses = await findAddresses(hostname, signal, lookUp);
    const isForbidden = (address: string) => isForbiddenAddress(address, scheme, rules);
    if (addresses.some(({ address }) => isForbidden(address))) throw new ForbiddenTarget(hostname);
    const port = Number(target.port) || (scheme === 'https:' ? 443 : 80);
    const place = { hostname, addresses, port };
    // A proxy's loopback is another machine.
    const isHere = addresses.some(({ address }) => isForbiddenAddress(address, 'https:', STRICT));
    const isProxied = proxy !== undefined && !isHere;
    const { socket, remoteAddress } = isProxied
      ? await openTunnel(proxy, place, signal, watch)
      : await openSocket(place, signal);
    if (isForbidden(remoteAddress)) {
      socket.destroy();
      throw new ForbiddenTarget(hostname);
    }
    const by = { remoteAddress, isProxied };
    if (scheme === 'http:') return { socket, ...by };
    return { socket: await secure(begin, target, socket, signal), ...by };
  };
  return (target, stop) => withSignal(stop, CONNECT_LIMIT_MS, (signal) => connect(target, signal));
}

const STRICT: TargetRules = { allowInsecure: false };

/** An address needs no resolver. */
async function findAddresses(
  hostname: string,
  signal: AbortSignal,
  lookUp: LookUp,
): Promise<readonly LookupAddress[]> {
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family }];
  try {
    return await lookUp(hostname, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** TLS over an open socket, with the name of the target. */
async function secure(
  begin: buildConnector.connector,
  target: buildConnector.Options,
  socket: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  let stop: () => void = () => undefined;
  try {
    return await new Promise<Socket>((resolve, reject) => {
      // A socket that is destroyed before TLS has begun is not reported: nothing else would end the wait.
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
      begin({ ...target, httpSocket: socket }, (error, secured) => {
        if (error === null) resolve(secured);
        else reject(error);
      });
      if (signal.aborted) stop();
    });
  } catch (error) {
    destroy(socket);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
