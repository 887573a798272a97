import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isForbiddenAddress, type Scheme, type TargetRules } from './address.js';

/** An attempt has 15 s in all: a connection that takes longer than this is given up. */
const CONNECT_LIMIT_MS = 5_000;
/** An idle connection may be used again for the next event; most receivers keep theirs for 5 s. */
const KEEP_ALIVE_MS = 4_000;

/**
 * The target resolved to, or was connected at, an address that its scheme may not reach (rules/http
 * 1).
 */
export class ForbiddenTarget extends Error {
  readonly code = 'ERR_FORBIDDEN_TARGET';

  constructor(hostname: string) {
    super(`${hostname} leads to an address that is not public, or is not for http`);
    this.name = 'ForbiddenTarget';
  }
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * An agent for requests to addresses that others gave us. It refuses on every resolved address, and
 * once more on the connected socket, so that a name that resolves differently each time gains
 * nothing. It follows no redirects (undici follows none by default). One agent for each set of
 * rules: a socket that was opened under lax rules is never used under strict ones.
 *
 * Connections are not counted by origin: endpoints of several apps may be at one, and those that hang there
 * would be waited for by the others. There are as many as attempts, whose number is bounded for each endpoint
 * and app (rules/fairness 1).
 */
export function createEgressAgent(rules: TargetRules): Agent {
  const connectSecurely = guardedConnector('https:', rules);
  const connectPlainly = guardedConnector('http:', rules);
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      const connect = options.protocol === 'https:' ? connectSecurely : connectPlainly;
      connect(options, callback);
    },
  });
}

/** Connects to what the rules allow over this scheme. */
function guardedConnector(scheme: Scheme, rules: TargetRules): buildConnector.connector {
  const lookup = guardedLookup(scheme, rules);
  const connect = buildConnector({ timeout: CONNECT_LIMIT_MS, lookup });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // An address needs no resolver: it is checked before anything is sent there.
    if (isIP(host) !== 0 && isForbiddenAddress(host, scheme, rules)) {
      callback(new ForbiddenTarget(host), null);
      return;
    }
    connect(options, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (!isForbiddenAddress(socket.remoteAddress ?? '', scheme, rules)) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new ForbiddenTarget(options.hostname), null);
      }
    });
  };
}

function guardedLookup(scheme: Scheme, rules: TargetRules) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isForbiddenAddress(address, scheme, rules))) {
        callback(new ForbiddenTarget(hostname), '');
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
