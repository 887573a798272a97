import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The path and the query of a request, as they came: the board reads them itself. */
export type BoardAddress = string;

export const BoardAddress = createParamDecorator(
  (_options: unknown, context: ExecutionContext): BoardAddress =>
    context.switchToHttp().getRequest<FastifyRequest>().url,
);
