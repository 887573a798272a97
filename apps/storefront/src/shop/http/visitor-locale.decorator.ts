import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { chooseVisitorLocale } from './visitor-locale.js';

/** Hands a controller of the shop how it speaks to the player: a `PageLocale`. */
export const VisitorLocale = createParamDecorator((_options: unknown, context: ExecutionContext) =>
  chooseVisitorLocale(context.switchToHttp().getRequest<FastifyRequest>()),
);
