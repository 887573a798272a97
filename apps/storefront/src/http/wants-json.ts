import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { KnownQueryGuard } from '#nest';

/** HTML first: who says nothing, or takes anything, is a browser. */
const FORMS = ['text/html', 'application/json'];

/** Whether a caller of the shop wants data in the place of pages (rules/webshop 2). */
export function wantsJson({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { accept = '' } = headers;
  return new Negotiator({ headers: { accept } }).mediaType(FORMS) === 'application/json';
}

/** Hands a controller whether it is a program that asks, which wants data in the place of pages (rules/webshop 2). */
export const ForProgram = createParamDecorator((_options: unknown, context: ExecutionContext) =>
  wantsJson(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * Refuses query parameters that a call does not have, where a program makes it; a page opens with whatever others have
 * added to its address (rules/webshop 2).
 */
@Injectable()
export class ProgramQueryGuard extends KnownQueryGuard {
  override canActivate(context: ExecutionContext): boolean | Promise<never> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return wantsJson(request) ? super.canActivate(context) : true;
  }
}
