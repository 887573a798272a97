import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { metrics } from '#platform';
import { isForApp, type OperatorIdentity } from '#tenancy';
import { ApiError, invalidFields, notFound } from '../http/api-error.js';
import { Authenticator } from './authenticator.js';
import type { Caller } from './caller.js';
import { CALLERS } from './callers.key.js';

/** RFC 9745: the day on which the API key was deprecated in favour of signatures (interface 9). */
const API_KEY_DEPRECATED_SINCE = '@1767225600';

const apiKeyRequests = new Counter({
  name: 'subledger_deprecated_api_key_requests_total',
  help: 'Requests that came with the deprecated X-Service-Api-Key.',
  registers: [metrics],
});

/** Lets in the kinds of callers that a route names with `@Callers`, and nobody else (decisions 2). */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const allowed =
      this.reflector.getAllAndOverride<Caller['kind'][] | undefined>(CALLERS, [
        context.getHandler(),
        context.getClass(),
      ]) ?? [];
    const found = await this.authenticator.identify(request);
    if ('refused' in found) throw unauthenticated(found.refused, allowed);
    if (!allowed.includes(found.kind)) throw wrongKind(found.kind, allowed);
    if (found.kind === 'operator') requireScope(found.operator, request);
    if (found.kind === 'app') requireBody(request);
    if (found.kind === 'apiKey') {
      reply.header('deprecation', API_KEY_DEPRECATED_SINCE);
      apiKeyRequests.inc();
    }
    request.caller = found;
    return true;
  }
}

function unauthenticated(why: string, allowed: readonly Caller['kind'][]): ApiError {
  const scheme = allowed.some((kind) => kind === 'player' || kind === 'operator')
    ? 'Bearer'
    : 'Signature';
  return new ApiError('UNAUTHENTICATED', {
    reason: 'UNAUTHENTICATED',
    message: why,
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

/** An operator's role says what, the scope says where; another app does not exist for them. */
function requireScope(operator: OperatorIdentity, request: FastifyRequest): void {
  const { appId } = request.params as { appId?: string };
  if (appId !== undefined && !isForApp(operator, appId)) throw notFound('app', appId);
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  const mayWrite =
    operator.role === 'admin' || (operator.role === 'manager' && appId !== undefined);
  if (isReading || mayWrite) return;
  throw new ApiError('PERMISSION_DENIED', {
    reason: 'ROLE_NOT_SUFFICIENT',
    message: `An operator with the role ${operator.role} may not do this.`,
  });
}

/** An empty POST would share its signature with any GET of the same moment (decisions 3). */
function requireBody(request: FastifyRequest): void {
  if (request.method !== 'POST' || (request.rawBody?.length ?? 0) > 0) return;
  throw invalidFields([
    { field: 'body', description: 'a signed POST needs a JSON body, at least {}' },
  ]);
}
