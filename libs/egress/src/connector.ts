import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import {
  connect as beginTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import type { buildConnector } from 'undici';
import { withSignal } from '#platform';
import { isForbiddenAddress, type TargetRules } from './address.js';
import { createLookUp, type LookUp } from './names.js';
import { openTunnel, ProxyWatch } from './proxy.js';
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
export type Connect = (target: buildConnector.Options, signal: AbortSignal) => Promise<Connected>;

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
 * reason.
 *
 * @param watch the memory of the proxy, under whatever rules it is asked.
 * @throws ForbiddenTarget; ProxyFailed; the signal's reason; or the error of the connection.
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
  const secureContext = createSecureContext(trusted);
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
    return { socket: await secure(socket, { hostname, secureContext, signal }), ...by };
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

interface TlsOptions {
  readonly hostname: string;
  readonly secureContext: SecureContext;
  readonly signal: AbortSignal;
}

/** TLS over an open socket, with the name of the target. Sessions are not taken up again. */
async function secure(
  socket: Socket,
  { hostname, secureContext, signal }: TlsOptions,
): Promise<Socket> {
  const secured = beginTls({
    ...{ socket, host: hostname, secureContext, ALPNProtocols: ['http/1.1'] },
    // An address is no name that a server could choose its certificate by.
    ...(isIP(hostname) === 0 && { servername: hostname }),
  });
  try {
    await once(secured, 'secureConnect', { signal });
    return secured;
  } catch (error) {
    for (const end of [secured, socket]) destroy(end);
    throw signal.aborted ? signal.reason : error;
  }
}
