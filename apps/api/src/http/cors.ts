import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addVary, type Route } from '#nest';

/** The headers that a page may send beside its token. */
const ALLOWED_HEADERS =
  'authorization, content-type, idempotency-key, if-match, x-app-id, x-consistency-token, x-request-id';
/** The headers of an answer that a page may read. */
const EXPOSED_HEADERS =
  'etag, x-consistency-token, x-request-id, idempotency-replayed, retry-after, www-authenticate, allow';
/** How long browsers may keep the answer to a preflight; none keeps it for longer than two hours. */
const PREFLIGHT_LIFE_SECONDS = 7200;

/** The origins that an app allows; undefined where there is no such app. */
type OriginsOf = (appId: string) => Promise<readonly string[] | undefined>;

/**
 * Lets pages call the routes of players, with a bearer token and without cookies, and no others
 * (rules/http 8). A preflight carries no credentials, so it is answered for any origin: it names
 * methods and headers, and nothing of any app. The answer itself may be read by pages of the
 * origins that the token's app allows. Where the caller is not known (401, 503), pages of any
 * origin may read it: it holds nothing of any app either, and without it a page could not recognise
 * an expired token.
 */
export function openToPages(
  fastify: FastifyInstance,
  routes: readonly Route[],
  originsOf: OriginsOf,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const methods = preflightMethods(request, routes);
    if (methods === undefined) done();
    else answerPreflight(reply, methods);
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const { callers } = request.routeOptions.config;
    if (callers?.includes('player') !== true) {
      done();
      return;
    }
    addVary(reply, 'origin');
    const { origin } = request.headers;
    if (origin === undefined || isBackends(request)) done();
    else allowOrigin(request, reply, origin, originsOf).then(() => done(), done);
  });
}

/**
 * The methods that players have at the path of a preflight; undefined where players have none, or
 * the request is no preflight.
 */
function preflightMethods(
  { method, headers, url }: FastifyRequest,
  routes: readonly Route[],
): string | undefined {
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || headers.origin === undefined || wanted === undefined)
    return undefined;
  const path = url.split('?', 1)[0] ?? '';
  const methods = routes
    .filter(({ config, pattern }) => config.callers?.includes('player') && pattern.test(path))
    .map((route) => route.method);
  return methods.includes(wanted) ? [...new Set(methods)].sort().join(', ') : undefined;
}

function answerPreflight(reply: FastifyReply, methods: string): void {
  void reply
    .status(204)
    .headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': String(PREFLIGHT_LIFE_SECONDS),
    })
    .send();
}

/** A studio's backend is no page, so no page may read its answers. */
function isBackends({ headers }: FastifyRequest): boolean {
  return (
    headers['x-service-hmac-signature'] !== undefined || headers['x-service-api-key'] !== undefined
  );
}

async function allowOrigin(
  { caller }: FastifyRequest,
  reply: FastifyReply,
  origin: string,
  originsOf: OriginsOf,
): Promise<void> {
  const known = caller?.kind === 'player' ? await originsOf(caller.appId) : undefined;
  const allowed = known ?? ['*'];
  const isAny = allowed.includes('*');
  if (!isAny && !allowed.includes(origin)) return;
  reply.header('access-control-allow-origin', isAny ? '*' : origin);
  reply.header('access-control-expose-headers', EXPOSED_HEADERS);
}
