import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * Hands a controller why the form of a page was refused, which led back to it with the reason; empty where there is
 * none. It is of pages alone, and no parameter of the documented call.
 */
export const RefusedFor = createParamDecorator((_options: unknown, context: ExecutionContext) => {
  const { query } = context.switchToHttp().getRequest<FastifyRequest>();
  // Whatever stands in an address.
  const { refusal } = query as { readonly refusal?: unknown };
  return typeof refusal === 'string' ? refusal : '';
});
