import type { FastifyInstance } from 'fastify';

/** The path of checkout links before the storefront was an origin of its own. */
const FORMER_PATH = '/checkout/';

/**
 * Redirects the former address of checkout links to the storefront: 308 keeps method and body, and path and query stay
 * the same (rules/storefront 1).
 */
export function redirectToStorefront(fastify: FastifyInstance, storefrontUrl: string): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith(FORMER_PATH)) reply.redirect(storefrontUrl + request.url, 308);
    else done();
  });
}
