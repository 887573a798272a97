import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listOwed } from './acts.js';
import { ApiError } from '../answer/api-error.js';
import { FOR_ITS_CALLER_ALONE } from '../answer/cache-control.js';
import { errorBody } from '../answer/error-body.js';
import { tooSlow } from './time-limits.js';

/** Node's own refusals that have a status of their own; everything else is 400. */
const HTTP_STATUS_OF_NODE: Readonly<Record<string, number>> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Node lets these through to us: it would refuse them without a body and a request id. */
export const LET_THROUGH = { requireHostHeader: false };

/**
 * Refuses in our own words requests that Node would refuse in none (rules/http 4): no Host header, unknown
 * expectations, CONNECT. A client that waits for leave to go on (`Expect: 100-continue`) gets it when its credentials
 * are good, and not before.
 */
export function refuseInNodesStead(fastify: FastifyInstance): void {
  const { server } = fastify;
  const route = (request: IncomingMessage, response: ServerResponse) => {
    fastify.routing(request, response);
  };
  server.on('checkExpectation', route).on('checkContinue', route);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => endWith(socket, noTunnels()));
  fastify.addHook('onRequest', (request, reply, done) => {
    const refusal = toRefusal(request);
    if (refusal !== undefined) reply.header('connection', 'close');
    done(refusal);
  });
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    if (isContinue(request)) reply.raw.writeContinue();
    done();
  });
}

/** The connections that are about to end. */
const ending = new WeakSet<Duplex>();

/** Node's error about bytes that it cannot read. */
interface UnreadableRequest {
  readonly code?: string;
  /** The bytes; Fastify's types take them for something else. */
  readonly rawPacket?: unknown;
}

/**
 * Answers bytes that Node cannot read as HTTP; there is no request then, only a connection. Answers to earlier, whole
 * requests go first. Otherwise the caller would take the refusal for the answer to one of those, and believe that a
 * command was refused which was done.
 */
export function answerUnreadableRequest(error: UnreadableRequest, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (ending.has(socket)) return;
  ending.add(socket);
  const { rawPacket } = error;
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD ';
  const closed = listOwed(socket).map(
    ({ raw }) => new Promise((resolve) => raw.once('close', resolve)),
  );
  void Promise.all(closed).then(() => {
    if (socket.writable) endWith(socket, unreadable(error.code ?? ''), isHead);
  });
}

function toRefusal({ raw, headers }: FastifyRequest): ApiError | undefined {
  // RFC 9112, 3.2: HTTP/1.1 without Host is a bad request, HTTP/1.0 is not; two are in either.
  if (hostCount(raw) > 1) {
    return new ApiError('INVALID_ARGUMENT', {
      reason: 'HOST_AMBIGUOUS',
      message: 'The request has more than one Host header.',
    });
  }
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new ApiError('INVALID_ARGUMENT', {
      reason: 'HOST_MISSING',
      message: 'The request has no Host header.',
    });
  }
  if (headers.expect === undefined || isContinue({ headers })) return undefined;
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'EXPECTATION_FAILED',
    message:
      'The request has an expectation that this service does not know; it knows 100-continue.',
    http: 417,
  });
}

/** Node keeps the first one and drops the others. */
function hostCount({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function isContinue({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

function unreadable(code: string): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  const http = HTTP_STATUS_OF_NODE[code] ?? 400;
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'MALFORMED_REQUEST',
    message: `The request cannot be read: ${STATUS_CODES[http] ?? 'Bad Request'}.`,
    http,
  });
}

function noTunnels(): ApiError {
  return new ApiError('UNIMPLEMENTED', {
    reason: 'METHOD_NOT_ALLOWED',
    message: 'This service is no proxy.',
    headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
  });
}

/** Writes a whole answer to a connection of which Node has made no request, and ends it. */
function endWith(socket: Duplex, refusal: ApiError, isHead = false): void {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(refusal, requestId));
  const lines = [
    `HTTP/1.1 ${refusal.http} ${STATUS_CODES[refusal.http] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `cache-control: ${FOR_ITS_CALLER_ALONE}`,
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.on('error', () => undefined);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
}
