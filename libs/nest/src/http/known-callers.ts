import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Callers of some minutes: of an API key or a token a kilobyte each at most, so some megabytes. */
const KNOWN_CALLERS = 10_000;

type Asking = Pick<FastifyRequest, 'headers' | 'socket'>;

/**
 * By what requests take turns (rules/fairness 3): the credentials that they bear, where these have been found
 * good before, else the address that they come from. So who makes credentials up has one turn for all of them.
 */
export class KnownCallers {
  readonly #known = new LRUCache<string, true>({ max: KNOWN_CALLERS });

  /** The name of the caller: nothing of this request is checked yet. */
  name(request: Asking): string {
    const credentials = readCredentials(request);
    if (credentials !== undefined && this.#known.get(credentials) === true) return credentials;
    return request.socket.remoteAddress ?? '';
  }

  /** Remembers a caller whose credentials were found good. */
  note(request: Asking & Pick<FastifyRequest, 'caller'>): void {
    if (request.caller === undefined) return;
    const credentials = readCredentials(request);
    if (credentials === undefined || this.#known.has(credentials)) return;
    this.#known.set(credentials, true);
  }
}

/**
 * What no other could send, but for a signature: of all requests that an app signs, the app is the caller, which
 * others can name, too. So it counts for the address alone from which it has signed.
 */
function readCredentials({ headers, socket }: Asking): string | undefined {
  const { authorization } = headers;
  const apiKey = headers['x-service-api-key'];
  if (typeof apiKey === 'string') return apiKey;
  // `v1;app;millis;mac` (rules/api 11).
  const signature = headers['x-service-hmac-signature'];
  if (typeof signature !== 'string') return authorization;
  return `${signature.split(';', 2)[1] ?? ''} ${socket.remoteAddress ?? ''}`;
}
