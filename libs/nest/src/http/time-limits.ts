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

/** Node's own limits. It knows one for all bodies, which therefore is the longest. */
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

/** Cuts off clients that send a body too slowly, or do not take an answer (rules/http 3). */
export function limitTimes(fastify: FastifyInstance, limits: TimeLimits, log: Log): void {
  const onLate = (request: FastifyRequest, reply: FastifyReply) => cutOff(request, reply, log);
  const bodies = new AwaitedBodies(limits.requestMs, onLate);
  const files = new AwaitedBodies(limits.uploadMs, onLate);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) bodies.await(request, reply);
    done();
  });
  // A caller who was admitted to upload a file gets more time. No other caller does, not even one
  // who signs: a signature can only be checked once the body is there.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const { takes } = request.routeOptions.config;
    const isAdmitted = request.caller !== undefined;
    if (takes !== undefined && isAdmitted && hasBody(request)) {
      bodies.forget(request);
      files.await(request, reply);
    }
    done();
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.raw.complete) bodies.forget(request);
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
 * Requests whose bodies are on their way, all under the same limit: the first to come is the first to
 * be late. So one timer watches over all of them, where a timer and two listeners for each would be a
 * cost of every request.
 */
class AwaitedBodies {
  readonly #awaited = new Map<FastifyRequest, { reply: FastifyReply; endsAt: number }>();
  readonly #limitMs: number;
  readonly #onLate: (request: FastifyRequest, reply: FastifyReply) => void;
  #isTimed = false;

  constructor(limitMs: number, onLate: (request: FastifyRequest, reply: FastifyReply) => void) {
    this.#limitMs = limitMs;
    this.#onLate = onLate;
  }

  await(request: FastifyRequest, reply: FastifyReply): void {
    this.#awaited.set(request, { reply, endsAt: performance.now() + this.#limitMs });
    if (!this.#isTimed) this.#lookIn(this.#limitMs);
  }

  forget(request: FastifyRequest): void {
    this.#awaited.delete(request);
  }

  #lookIn(delayMs: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#look(), delayMs).unref();
  }

  /** Forgets bodies that have arrived or were given up, and calls back for those that are late. */
  #look(): void {
    this.#isTimed = false;
    const now = performance.now();
    for (const [request, { reply, endsAt }] of this.#awaited) {
      const { complete, destroyed } = request.raw;
      if (!complete && !destroyed && now < endsAt) {
        this.#lookIn(Math.ceil(endsAt - now));
        return;
      }
      this.#awaited.delete(request);
      if (!complete && !destroyed) this.#onLate(request, reply);
    }
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
