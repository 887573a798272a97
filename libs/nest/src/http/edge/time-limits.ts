import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { type Acts, watchActs } from './acts.js';
import { ApiError } from '../answer/api-error.js';
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

/** How often Node polls for slow heads of requests, and this file for slow bodies. */
const POLL_EVERY_MS = 1000;

/** Node's own limits. It knows one for all bodies, which therefore is the longest. */
export function nodeTimeLimits({ requestMs, uploadMs }: TimeLimits) {
  return {
    requestTimeout: requestMs + uploadMs,
    http: {
      // Node exchanges the two limits where this one is the longer: 60 s would then hold for bodies.
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(POLL_EVERY_MS, requestMs),
    },
  };
}

/** Cuts off clients that send a body too slowly, or do not take an answer (rules/http 3). */
export function limitTimes(fastify: FastifyInstance, limits: TimeLimits, log: Log): void {
  const acts = watchActs(fastify);
  const everyMs = Math.min(POLL_EVERY_MS, limits.requestMs);
  const polling = setInterval(() => cutOffLate(acts, log), everyMs).unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(polling);
    done();
  });
  const awaitBody = (request: FastifyRequest, limitMs: number) => {
    const act = hasBody(request) ? acts.find(request) : undefined;
    if (act !== undefined) act.bodyDueAt = performance.now() + limitMs;
  };
  fastify.addHook('onRequest', (request, _reply, done) => {
    awaitBody(request, limits.requestMs);
    done();
  });
  // A caller who was admitted to upload a file gets more time. No other caller does, not even one
  // who signs: a signature can only be checked once the body is there.
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    const isSheet = request.routeOptions.config.takes === 'sheet';
    if (isSheet && request.caller !== undefined) awaitBody(request, limits.uploadMs);
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    const { socket } = request.raw;
    // Node takes it back with the next request. Bytes that are taken, however few, begin it anew.
    if (socket instanceof Socket) socket.setTimeout(limits.stalledAnswerMs);
    done();
  });
}

/** Cuts off requests whose bodies are late. One timer for all of them costs a request nothing. */
function cutOffLate(acts: Acts, log: Log): void {
  const now = performance.now();
  for (const act of [...acts]) {
    const { request, reply, isWritten, bodyDueAt } = act;
    const isHere = request.raw.complete || request.raw.destroyed;
    if (bodyDueAt === undefined || (!isHere && now < bodyDueAt)) continue;
    act.bodyDueAt = undefined;
    if (isWritten) acts.forget(act);
    if (!isHere) cutOff(request, reply, log);
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

function cutOff(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  if (reply.sent) {
    // The request was answered, with a refusal, and its client goes on sending all the same.
    request.raw.destroy();
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
