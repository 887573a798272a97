import { configureRoutes } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether everybody may call the route. */
    readonly isPublic?: boolean;
  }
}

/** Lets everybody call the routes of this controller: the exception, which each controller has to say. */
export const Public = (): ClassDecorator => configureRoutes({ isPublic: true });
