import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { malformedAddress } from './address.js';
import { ApiError } from './api-error.js';
import { errorBody } from './error-body.js';
import { answerError } from './error.filter.js';

/** Node's own refusals that have a status of their own; everything else is 400. */
const HTTP_STATUS_OF_NODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * What every answer carries. Answers are for the caller alone and may hold secrets: nobody on the way
 * keeps them. A route that says otherwise overwrites it.
 */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
}

/** Answers what the router cannot read: an address with broken escapes. */
export function answerUnreadableAddress(log: Log) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setCommonHeaders(request, reply);
    answerError(malformedAddress(), request, reply, log);
  };
}

/** Answers what Node itself cannot read as HTTP; there is no request then, only a connection. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const http = HTTP_STATUS_OF_NODE[error.code ?? ''] ?? 400;
  const requestId = randomUUID();
  const refusal = new ApiError('INVALID_ARGUMENT', {
    reason: 'MALFORMED_REQUEST',
    message: `The request cannot be read: ${STATUS_CODES[http] ?? 'Bad Request'}.`,
    http,
  });
  const body = JSON.stringify(errorBody(refusal, requestId));
  const lines = [
    `HTTP/1.1 ${http} ${STATUS_CODES[http] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
