import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { wantsJson } from './wants-json.js';

/** Hands a controller whether it is a program that asks, which wants data in the place of pages (rules/webshop 2). */
export const ForProgram = createParamDecorator((_options: unknown, context: ExecutionContext) =>
  wantsJson(context.switchToHttp().getRequest<FastifyRequest>()),
);
