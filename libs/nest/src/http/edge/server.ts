import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { type Log, NO_PROXIES, type TrustedProxies } from '#platform';
import { addressRefusal } from './address.js';
import { AnsweringAdapter } from '../answer/answering-adapter.js';
import { answerUnreadableAddress, setCommonHeaders } from './before-routing.js';
import { applyBodyConfigs } from '../body/body-config.js';
import { stoppingRefusal } from './draining.js';
import { takeJson } from '../body/json-body.js';
import { KnownCallers } from './known-callers.js';
import { answerUnreadableRequest, LET_THROUGH, refuseInNodesStead } from './node-refusals.js';
import { RequestPacing } from './request-pacing.js';
import { limitTimes, nodeTimeLimits, TIME_LIMITS, type TimeLimits } from './time-limits.js';

/** Management bodies are the largest: plans with many prices stay far below. */
const BODY_LIMIT_BYTES = 262_144;
/** Enough to be worth a tick, few enough for the event store to begin soon: see `RequestPacing`. */
const REQUESTS_PER_TICK = 8;
/** A caller's own request id is kept when it is harmless in a log and a header. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as they came: those that were signed. */
    rawBody?: Buffer;
    /** The name under which it takes its turn. */
    turnOf?: string;
  }
}

/** Fastify as Nest's platform, with our own body parser: signatures need the received bytes. */
export function createFastifyAdapter(
  log: Log,
  stopping: AbortSignal,
  timeLimits: TimeLimits = TIME_LIMITS,
  proxies: TrustedProxies = NO_PROXIES,
): FastifyAdapter {
  const { requestTimeout, http } = nodeTimeLimits(timeLimits);
  const adapter = new AnsweringAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout,
    http: { ...http, ...LET_THROUGH },
    // A caller's forged addresses stand left of our own proxies': the right-most stranger counts.
    ...(proxies !== NO_PROXIES && { trustProxy: (address: string) => proxies.has(address) }),
    // Fastify's own answer has another body: the hook below refuses in its place.
    return503OnClosing: false,
    // No middleware of Express's kind is used, so nothing needs to be asked for it on every request.
    skipMiddie: true,
    // Routing comes before the check of the whole address, which answers in our own words; Node
    // itself takes no longer one than its limit of headers.
    // A path with a slash at its end is the same path.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    frameworkErrors: answerUnreadableAddress(log),
    clientErrorHandler: answerUnreadableRequest,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
  });
  const fastify: FastifyInstance = adapter.getInstance();
  const pacing = new RequestPacing(REQUESTS_PER_TICK);
  const callers = new KnownCallers();
  // First, so that it also holds for the bodies of requests that later hooks refuse.
  limitTimes(fastify, timeLimits, log);
  fastify.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    const refusal = stopping.aborted ? stoppingRefusal() : addressRefusal(request.url);
    if (refusal !== undefined) {
      done(refusal);
      return;
    }
    request.turnOf = callers.name(request);
    pacing.begin(request.turnOf, done);
  });
  // Guards of Nest, which find some callers, come behind all hooks before the handler.
  fastify.addHook('onResponse', (request, _reply, done) => {
    callers.note(request, request.turnOf);
    done();
  });
  refuseInNodesStead(fastify);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, takeJson);
  applyBodyConfigs(fastify);
  return adapter;
}
