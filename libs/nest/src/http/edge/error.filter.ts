import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault, type Log } from '#platform';
import { ApiError } from '../answer/api-error.js';
import { unsupported } from '../body/content-types.js';
import { FOR_ITS_CALLER_ALONE } from '../answer/cache-control.js';
import { errorBody, retryAfterSeconds } from '../answer/error-body.js';
import { UNKNOWN_ROUTE } from './request-metrics.js';

/** For a fault that gives no hint of its own. */
const DEFAULT_RETRY_AFTER_MS = 1000;

/** Refusals of Nest and Fastify themselves, by HTTP status (rules/api 12). */
const BY_HTTP_STATUS: Readonly<Record<number, ConstructorParameters<typeof ApiError>>> = {
  400: ['INVALID_ARGUMENT', { reason: 'MALFORMED_REQUEST', message: 'The request is malformed.' }],
  404: ['NOT_FOUND', { reason: 'PATH_NOT_FOUND', message: 'There is nothing at this path.' }],
  413: [
    'RESOURCE_EXHAUSTED',
    { reason: 'BODY_TOO_LARGE', message: 'The body of the request is too large.', http: 413 },
  ],
  414: [
    'INVALID_ARGUMENT',
    { reason: 'ADDRESS_TOO_LONG', message: 'The address of the request is too long.', http: 414 },
  ],
};

/** The one place where anything thrown becomes an answer (rules/api 12). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly answerUnrouted: (request: FastifyRequest, reply: FastifyReply) => void,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (thrown instanceof NotFoundException) this.answerUnrouted(request, reply);
    else answerError(thrown, request, reply, this.log);
  }
}

/** Answers with the error body; also for Fastify's refusals before Nest is reached. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): void {
  // A client that was cut off for being slow has its answer; a later failure of its request gets
  // none.
  if (reply.sent) return;
  const error = toApiError(thrown, request);
  // A refusal during a stop is expected, so it is not logged as an error.
  if (error.http >= 500 && error.reason !== 'STOPPING') {
    log.error(
      { err: thrown, requestId: request.id, method: request.method, route: describeRoute(request) },
      'request failed',
    );
  }
  setErrorHeaders(reply, error);
  void reply
    .status(error.http)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', FOR_ITS_CALLER_ALONE)
    .send(JSON.stringify(errorBody(error, request.id)));
}

/** The headers of an error beside its body: when to try again, and how to sign in. */
export function setErrorHeaders(reply: FastifyReply, { retryAfterMs, headers }: ApiError): void {
  if (retryAfterMs !== undefined) {
    reply.header('retry-after', String(retryAfterSeconds(retryAfterMs)));
  }
  reply.headers(headers);
}

/**
 * The route and not the address: that may carry a player's id, or a link's, which is a credential.
 */
function describeRoute(request: FastifyRequest): string {
  return request.routeOptions.url ?? UNKNOWN_ROUTE;
}

/** The error that a caller gets for anything thrown. */
export function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Fault) return fromFault(thrown);
  const status = readStatus(thrown);
  if (status === 415) return unsupported(request);
  const known = status === undefined ? undefined : BY_HTTP_STATUS[status];
  if (known !== undefined) return new ApiError(...known);
  return new ApiError('INTERNAL', {
    reason: 'INTERNAL',
    message: 'Something went wrong on our side. Tell us the request id.',
  });
}

function fromFault(fault: Fault): ApiError {
  const retryAfterMs = fault.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS;
  if (fault.code === 'unavailable') {
    return new ApiError('UNAVAILABLE', {
      reason: 'UNAVAILABLE',
      message: 'The service cannot answer at present. Try again.',
      retryAfterMs,
    });
  }
  if (fault.code === 'conflict') {
    return new ApiError('ABORTED', {
      reason: 'CONCURRENT_CHANGE',
      message: 'Others keep changing the same object. Try again.',
      retryAfterMs,
    });
  }
  return new ApiError('INTERNAL', {
    reason: 'INTERNAL',
    message: 'Something went wrong on our side. Tell us the request id.',
  });
}

/** Fastify's errors carry `statusCode`, Nest's `getStatus()`; anything else is a defect of ours. */
function readStatus(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof Error && 'statusCode' in thrown && 'code' in thrown) {
    return typeof thrown.statusCode === 'number' ? thrown.statusCode : undefined;
  }
  return undefined;
}
