import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { malformedAddress } from './address.js';
import { FOR_ITS_CALLER_ALONE } from '../answer/cache-control.js';
import { answerError } from './error.filter.js';

/**
 * The headers of every answer. Answers are for the caller alone and may hold secrets: no cache on the way keeps them. A
 * route that says otherwise overwrites it.
 */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', FOR_ITS_CALLER_ALONE);
  reply.header('x-content-type-options', 'nosniff');
}

/** Answers an address that the router cannot read: one with broken escapes. */
export function answerUnreadableAddress(log: Log) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setCommonHeaders(request, reply);
    answerError(malformedAddress(request.url), request, reply, log);
  };
}
