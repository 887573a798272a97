import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { type Act, type Acts, watchActs } from './acts.js';
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

/** How often Node looks for connections that are too slow with the head of a request. */
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
  const bodies = new AwaitedBodies(acts, limits.requestMs, log);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) bodies.await(request, limits.requestMs);
    done();
  });
  // A caller who was admitted to upload a file gets more time. No other caller does, not even one
  // who signs: a signature can only be checked once the body is there.
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    const { takes } = request.routeOptions.config;
    const isAdmitted = request.caller !== undefined;
    if (takes === 'sheet' && isAdmitted && hasBody(request)) bodies.await(request, limits.uploadMs);
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    const { socket } = request.raw;
    // Node takes it back with the next request. Bytes that are taken, however few, begin it anew.
    if (socket instanceof Socket) socket.setTimeout(limits.stalledAnswerMs);
    done();
  });
}

/**
 * Requests whose bodies are on their way. One timer watches over all of them, where a timer and two listeners
 * for each would be a cost of every request.
 */
class AwaitedBodies {
  readonly #acts: Acts;
  /** The shortest limit: nothing that begins meanwhile is late before the next poll. */
  readonly #longestWaitMs: number;
  readonly #log: Log;
  #isTimed = false;

  constructor(acts: Acts, shortestLimitMs: number, log: Log) {
    this.#acts = acts;
    this.#longestWaitMs = shortestLimitMs;
    this.#log = log;
  }

  await(request: FastifyRequest, limitMs: number): void {
    const act = this.#acts.find(request);
    if (act === undefined) return;
    act.bodyDueAt = performance.now() + limitMs;
    if (!this.#isTimed) this.#lookIn(limitMs);
  }

  #lookIn(delayMs: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#look(), Math.min(delayMs, this.#longestWaitMs)).unref();
  }

  /** Cuts off late requests, and looks again when the next one would be late. */
  #look(): void {
    this.#isTimed = false;
    const now = performance.now();
    const awaited = [...this.#acts].filter(({ bodyDueAt }) => bodyDueAt !== undefined);
    const dueTimes = awaited.map((act) => this.#lookAt(act, now));
    const nextDueAt = Math.min(...dueTimes);
    if (nextDueAt !== Infinity) this.#lookIn(Math.ceil(nextDueAt - now));
  }

  /** @returns until when its body must be here; Infinity where nothing more is waited for. */
  #lookAt(act: Act, now: number): number {
    const { request, reply, isWritten, bodyDueAt = Infinity } = act;
    const { complete, destroyed } = request.raw;
    if (!complete && !destroyed && now < bodyDueAt) return bodyDueAt;
    act.bodyDueAt = undefined;
    if (isWritten) this.#acts.forget(act);
    if (!complete && !destroyed) cutOff(request, reply, this.#log);
    return Infinity;
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
