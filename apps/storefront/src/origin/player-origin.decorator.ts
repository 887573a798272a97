import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { assertDefect } from '#platform';
import type { PlayerOrigin } from './player-origin.js';

/** Hands a controller where the player's request came from: a `PlayerOrigin`. */
export const CameFrom = createParamDecorator(
  (_options: unknown, context: ExecutionContext): PlayerOrigin => {
    const { origin } = context.switchToHttp().getRequest<FastifyRequest>();
    assertDefect(origin !== undefined, 'a request without its origin');
    return origin;
  },
);
