import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { ApiError } from './api-error.js';
import { answerError } from './error.filter.js';

/** How long a client may take, in milliseconds (rules/http 3). */
export interface TimeLimits {
  /** For sending the head of a request, and again for sending its body. */
  readonly requestMs: number;
  /** For sending the body where that is a file, such as a price sheet. */
  readonly uploadMs: number;
  /** Without taking anything of an answer. */
  readonly stalledAnswerMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  requestMs: 15_000,
  // 32 MiB, the longest price sheet, at 2.3 Mbit/s.
  uploadMs: 120_000,
  stalledAnswerMs: 30_000,
};

/** How often Node looks for connections that are too slow with the head of a request. */
const LOOK_EVERY_MS = 1000;

/** The limits that Node itself keeps; it has one for all bodies, which therefore is the longest. */
export function nodeTimeLimits({ requestMs, uploadMs }: TimeLimits) {
  return {
    requestTimeout: requestMs + uploadMs,
    http: {
      // Node exchanges the two limits where this one is the longer: 60 s would then hold for bodies.
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, requestMs),
    },
  };
}

/** Cuts off who sends a body too slowly, or does not take an answer (rules/http 3). */
export function limitTimes(fastify: FastifyInstance, limits: TimeLimits, log: Log): void {
  const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();
  const limit = (request: FastifyRequest, reply: FastifyReply, limitMs: number): void => {
    clearTimeout(deadlines.get(request.raw));
    const timer = setTimeout(() => cutOff(request, reply, log), limitMs);
    deadlines.set(request.raw, timer);
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      limit(request, reply, limits.requestMs);
      const clear = () => clearTimeout(deadlines.get(request.raw));
      request.raw.once('end', clear).once('close', clear);
    }
    done();
  });
  // A caller who is let in to upload a file gets the time for it. No other caller does, one who
  // signed the request included: a signature is checked when the body is there.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const { takes } = request.routeOptions.config;
    const isLetIn = request.caller !== undefined;
    if (takes !== undefined && isLetIn && hasBody(request)) limit(request, reply, limits.uploadMs);
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    const { socket } = request.raw;
    // Node takes it back with the next request. Bytes that are taken, however few, begin it anew.
    if (socket instanceof Socket) socket.setTimeout(limits.stalledAnswerMs);
    done();
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

function cutOff(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  if (request.raw.complete) return;
  if (reply.sent) {
    // The request was answered, with a refusal, and its client goes on sending all the same.
    request.raw.socket.destroy();
    return;
  }
  answerError(tooSlow(), request, reply.header('connection', 'close'), log);
}

/** 408: the request did not come in time. */
export function tooSlow(): ApiError {
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'REQUEST_TOO_SLOW',
    message: 'The request was not sent in time. Send it again.',
    http: 408,
  });
}
