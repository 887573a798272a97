import type { IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The one content type that the route takes; JSON without it. A CSV body comes as a stream,
     * unread.
     */
    readonly takes?: 'text/csv';
    /**
     * Whether the route reads the bytes of a JSON body (`rawBody`) itself, instead of a parsed one.
     */
    readonly readsBytes?: boolean;
    /** Whether the route names unknown parameters of the query itself, beside what is wrong with its bytes. */
    readonly readsQuery?: boolean;
    /** The most bytes of a JSON body, where the usual limit is not the right one. */
    readonly bodyLimitBytes?: number;
    /** The most fields and entries of a JSON body, where `MAX_VALUES` is not the right number. */
    readonly maxValues?: number;
    /** Objects of a JSON body whose names are the caller's own (`StringsByName`), such as `items.*.metadata`. */
    readonly freeNamesAt?: readonly string[];
  }
}

/** Limits of a route that differ from the usual ones, set with Nest's `@RouteConfig`. */
export type BodyConfig = Pick<
  FastifyContextConfig,
  'takes' | 'readsBytes' | 'readsQuery' | 'bodyLimitBytes' | 'maxValues' | 'freeNamesAt'
>;

type Done = (error: Error | null, value?: unknown) => void;

/** Lets routes have limits of their own, and hands CSV bodies over as streams. */
export function applyBodyConfigs(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { bodyLimitBytes } = route.config ?? {};
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
  });
  fastify.addContentTypeParser('text/csv', (request, payload: IncomingMessage, done: Done) => {
    const { takes } = request.routeOptions.config;
    if (takes === 'text/csv') done(findUnreadable(request) ?? null, payload);
    else done(unsupported('application/json'));
  });
}

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i;

/** 415 for a body whose bytes are said to be no plain UTF-8: they would be read as what they are not (rules/api 12). */
export function findUnreadable({ headers }: Pick<FastifyRequest, 'headers'>): ApiError | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding === 'identity' && !OTHER_CHARSET.test(type)) return undefined;
  return unsupportedForm('The body must be UTF-8, without a content encoding.');
}

/** 415, with the content type that would be right (rules/api 12). */
export function unsupported(wanted: string): ApiError {
  return unsupportedForm(`The content type must be ${wanted}.`);
}

function unsupportedForm(message: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'UNSUPPORTED_CONTENT_TYPE',
    message,
    http: 415,
  });
}
