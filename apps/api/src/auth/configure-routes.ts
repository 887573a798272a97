import { PATH_METADATA } from '@nestjs/common/constants.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/**
 * Gives every route of a controller a part of its Fastify configuration, beside the route's own:
 * callers are judged in hooks of Fastify, which run before Nest.
 */
export function configureRoutes(config: FastifyContextConfig): ClassDecorator {
  return ({ prototype }) => {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
      const handler: unknown = descriptor?.value;
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
      const own = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
      RouteConfig({ ...own, ...config })(prototype as object, name, descriptor ?? {});
    }
  };
}
