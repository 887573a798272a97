import type { FastifyInstance } from 'fastify';
import type { Log } from '#platform';
import { watchActs } from './acts.js';
import { createRequestLog } from './request-log.js';
import { countGoneClient, countRequest, showRequestMetrics } from './request-metrics.js';

/**
 * Counts and logs requests when their answers are sent, in one hook for both, and counts clients that went away before.
 * A request that Node itself refuses does not count yet.
 */
export function watchRequests(fastify: FastifyInstance, log: Log): void {
  const logRequest = createRequestLog(log);
  showRequestMetrics();
  fastify.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const { elapsedTime } = reply;
    countRequest(request.method, route, reply.statusCode, elapsedTime);
    logRequest(request, reply, route, elapsedTime);
    done();
  });
  watchActs(fastify).onGone(({ method, routeOptions }) =>
    countGoneClient(method, routeOptions.url),
  );
}
