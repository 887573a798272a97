import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The request that a command comes with, as far as its context is made from it. */
export type CommandSource = Pick<
  FastifyRequest,
  'id' | 'caller' | 'headers' | 'method' | 'url' | 'params' | 'rawBody'
>;

/**
 * Hands a controller the source of a command, for `CommandContexts`. It is for routes whose path does
 * not say which app they are about; the others take `@CommandContext()`.
 */
export const CommandSource = createParamDecorator(
  (_options: unknown, context: ExecutionContext): CommandSource =>
    context.switchToHttp().getRequest<FastifyRequest>(),
);
