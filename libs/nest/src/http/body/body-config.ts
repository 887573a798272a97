import type { IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { type BodyKind, findUnfit, SHEET_TYPES } from './content-types.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body that the route takes; JSON without it. A sheet comes as a stream, unread. */
    readonly takes?: BodyKind;
    /**
     * Whether the route reads the bytes of a JSON body (`rawBody`) itself, instead of a parsed one.
     */
    readonly readsBytes?: boolean;
    /** Whether the route names unknown parameters of the query itself, beside the errors of its bytes. */
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

/** Lets routes have limits of their own, and hands sheets over as streams. */
export function applyBodyConfigs(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { bodyLimitBytes } = route.config ?? {};
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
  });
  fastify.addContentTypeParser([...SHEET_TYPES], takeStream);
}

function takeStream(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  done(findUnfit(request, 'text/csv') ?? null, payload);
}
