import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { ApiError, cut } from '../answer/api-error.js';
import { setCommonHeaders } from './before-routing.js';
import { answerError } from './error.filter.js';

export interface Route {
  readonly method: string;
  readonly url: string;
  readonly pattern: RegExp;
  readonly config: FastifyContextConfig;
}

/**
 * Tells an unknown path (404) from a known path with the wrong method (405 with `Allow`): Fastify's
 * router knows only the first.
 */
export function collectRoutes(fastify: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const pattern = toPattern(url);
    for (const name of [method].flat()) {
      routes.push({ method: name, url, pattern, config: config ?? {} });
    }
  });
  return routes;
}

/** Refuses a request that no route takes before anything of its body is read: 404 and 405 go before 415. */
export function refuseUnrouted(fastify: FastifyInstance, routes: readonly Route[], log: Log): void {
  const answer = answerUnrouted(routes, log);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply);
    else done();
  });
}

/** Answers requests that no route takes. */
export function answerUnrouted(routes: readonly Route[], log: Log) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    // An address that is no path at all, such as `*`, gets past all hooks.
    if (!reply.hasHeader('x-request-id')) setCommonHeaders(request, reply);
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    // A route that takes the method and still found nothing, such as one of files, is no path either.
    const isPath = methods.length > 0 && !methods.includes(request.method);
    answerError(isPath ? wrongMethod(methods) : noPath(path), request, reply, log);
  };
}

/** `:name` stands for one part of a path, `*` for all that is left of it. */
function toPattern(url: string): RegExp {
  const literal = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  const pattern = literal.replaceAll(/:[^/]+/g, '[^/]+').replaceAll('*', '.*');
  return new RegExp(`^${pattern}/?$`);
}

/** 404: no route, or no file of one, has this path. */
export function noPath(path: string): ApiError {
  return new ApiError('NOT_FOUND', {
    reason: 'PATH_NOT_FOUND',
    message: `There is nothing at ${JSON.stringify(cut(path))}.`,
  });
}

function wrongMethod(methods: readonly string[]): ApiError {
  const allow = [...new Set(methods)].sort().join(', ');
  return new ApiError('UNIMPLEMENTED', {
    reason: 'METHOD_NOT_ALLOWED',
    message: `This path takes ${allow}.`,
    headers: { allow },
  });
}
