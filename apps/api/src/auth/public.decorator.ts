import { configureRoutes } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether everybody may call the route. */
    readonly isPublic?: boolean;
  }
}

/**
 * Opens the routes of this controller to callers without credentials. It is the exception, so each
 * such controller declares it.
 */
export const Public = (): ClassDecorator => configureRoutes({ isPublic: true });
