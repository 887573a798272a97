import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Callers of some minutes: a kilobyte each at most, so some megabytes. */
const KNOWN_CALLERS = 10_000;
/** Above the length of keys and tokens. */
const LONGEST_NAME = 1_000;

type Asking = Pick<FastifyRequest, 'headers' | 'socket'>;

/**
 * The names by which requests take turns (rules/fairness 3): the credentials that they bear, where these have been
 * found good before, else the address that they come from. So who makes credentials up has one turn for all of them.
 */
export class KnownCallers {
  readonly #known = new LRUCache<string, true>({ max: KNOWN_CALLERS });

  /** The name of the caller: nothing of this request is checked yet. */
  name(request: Asking): string {
    const credentials = readCredentials(request);
    if (credentials !== undefined && this.#known.get(credentials) === true) return credentials;
    return request.socket.remoteAddress ?? '';
  }

  /**
   * Remembers a caller whose credentials were found good.
   *
   * @param name from `name` for the request.
   */
  note(request: Asking & Pick<FastifyRequest, 'caller'>, name = ''): void {
    // A caller with a name of its own is known, or its credentials would be read once more for each request.
    if (request.caller === undefined || this.#known.has(name)) return;
    const credentials = readCredentials(request);
    if (credentials === undefined || this.#known.has(credentials)) return;
    this.#known.set(credentials, true);
  }
}

/**
 * A text that no other caller could send, but for a signature: of all requests that an app signs, the app is the
 * caller, which others can name, too. So it counts for the address alone from which it has signed. Identifies the
 * caller by the credential that is verified, ignoring its unverified parts.
 */
function readCredentials({ headers, socket }: Asking): string | undefined {
  const { authorization } = headers;
  // `v1;app;millis;mac` (rules/api 11).
  const signature = headers['x-service-hmac-signature'];
  if (typeof signature === 'string') {
    return named('signature', `${signature.split(';', 2)[1] ?? ''} ${socket.remoteAddress ?? ''}`);
  }
  if (authorization !== undefined) {
    return named('token', authorization.slice(authorization.lastIndexOf(' ') + 1));
  }
  const apiKey = headers['x-service-api-key'];
  return typeof apiKey === 'string' ? named('key', apiKey) : undefined;
}

/** With its kind: a key that is sent may be the text of any other credentials. */
function named(kind: string, text: string): string | undefined {
  return text.length > LONGEST_NAME ? undefined : `${kind} ${text}`;
}
