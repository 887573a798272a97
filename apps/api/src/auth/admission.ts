import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { ApiError, type Caller, invalidFields, takeJson } from '#nest';
import { metrics } from '#platform';
import type { ApiConfig } from '../config.js';
import { CONFIG } from '../tokens.js';
import { Authenticator, type Refusal } from './authenticator.js';
import { requireScope } from './operator-scope.js';
import { RateLimits } from './rate-limits.js';
import { isOpenSeal, requireScopeOfSeals } from './seal-access.js';

/** RFC 9745: the day on which the API key was deprecated in favour of signatures (rules/api 11). */
const API_KEY_DEPRECATED_SINCE = '@1767225600';

const apiKeyRequests = new Counter({
  name: 'subledger_deprecated_api_key_requests_total',
  help: 'Requests that came with the deprecated X-Service-Api-Key.',
  registers: [metrics],
});

/**
 * Admits the kinds of callers that a route names with `@Allow`, and refuses all others (rules/api 10).
 * It runs twice for a request: before the body is read, where it judges everything but a signature,
 * and with the bytes of the body, before they are parsed (rules/http 2).
 */
@Injectable()
export class Admission {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(RateLimits) private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'sealPublic'>,
  ) {}

  /**
   * Judges the head of a request, without its body. As all of this class, it answers at once where memory knows the
   * caller: a read pays for each promise that it waits for (docs/performance.md).
   *
   * @throws ApiError 16, 7 or 5, and 3 or 8 where the caller is known and asks wrongly, or too often.
   */
  admitUnread(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { callers } = request.routeOptions.config;
    if (callers === undefined || isOpenSeal(request, this.config)) return undefined;
    const signature = request.headers['x-service-hmac-signature'];
    if (typeof signature !== 'string') return this.admit(request, reply);
    const read = this.authenticator.readSignature(signature);
    if ('refused' in read) throw unauthenticated(read, callers);
    request.signature = read;
    return undefined;
  }

  /** Judges with the bytes of the body, unless the caller was admitted before it was read. */
  admit(request: FastifyRequest, reply?: FastifyReply): Promise<void> | undefined {
    const { config, url: route = '' } = request.routeOptions;
    const { callers: allowed, isForAdmins = false } = config;
    if (allowed === undefined || request.caller !== undefined) return undefined;
    if (isOpenSeal(request, this.config)) return undefined;
    const take = (found: Caller | Refusal) => {
      if ('refused' in found) throw unauthenticated(found, allowed);
      if (!allowed.includes(found.kind)) throw wrongKind(found.kind, allowed);
      if (found.kind === 'operator') {
        const { appId } = request.params as { appId?: string };
        requireScope(found.operator, { appId, method: request.method, isForAdmins, route });
        requireScopeOfSeals(found.operator, config);
      }
      if (found.kind === 'app') requireBody(request);
      if (found.kind === 'apiKey') {
        reply?.header('deprecation', API_KEY_DEPRECATED_SINCE);
        apiKeyRequests.inc();
      }
      request.caller = found;
      this.limits.admit(found);
    };
    const found = this.authenticator.identify(request);
    if (found instanceof Promise) return found.then(take);
    take(found);
    return undefined;
  }
}

type Done = (error: Error | null, value?: unknown) => void;

/**
 * Puts credentials before bodies (rules/http 2): no body is read where a bearer token or API key is
 * refused, and none is parsed that does not fit its signature.
 */
export function authenticateFirst(fastify: FastifyInstance, admission: Admission): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const admitted = admission.admitUnread(request, reply);
    if (admitted === undefined) done();
    else admitted.then(() => done(), done);
  });
  fastify.removeContentTypeParser('application/json');
  const parse = (request: FastifyRequest, body: Buffer, done: Done): void => {
    request.rawBody = body;
    let admitted: Promise<void> | undefined;
    try {
      admitted = admission.admit(request);
    } catch (error) {
      // It throws nothing but errors.
      done(error as Error);
      return;
    }
    if (admitted === undefined) takeJson(request, body, done);
    else admitted.then(() => takeJson(request, body, done)).catch(done);
  };
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}

function unauthenticated({ refused }: Refusal, allowed: readonly Caller['kind'][]): ApiError {
  const scheme = allowed.some((kind) => kind === 'player' || kind === 'operator')
    ? 'Bearer'
    : 'Signature';
  return new ApiError('UNAUTHENTICATED', {
    reason: 'UNAUTHENTICATED',
    message: refused,
    headers: { 'www-authenticate': `${scheme} realm="subledger"` },
  });
}

function wrongKind(kind: Caller['kind'], allowed: readonly Caller['kind'][]): ApiError {
  return new ApiError('PERMISSION_DENIED', {
    reason: 'WRONG_CREDENTIALS_FOR_OPERATION',
    message: 'These credentials are valid, but not for this operation.',
    metadata: { given: kind, allowed: allowed.join(', ') },
  });
}

/** An empty POST would share its signature with any GET of the same moment (rules/api 11). */
function requireBody(request: FastifyRequest): void {
  if (request.method !== 'POST' || (request.rawBody?.length ?? 0) > 0) return;
  throw invalidFields([
    { field: 'body', description: 'a signed POST needs a JSON body, at least {}' },
  ]);
}
