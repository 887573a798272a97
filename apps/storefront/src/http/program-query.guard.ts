import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { KnownQueryGuard } from '#nest';
import { wantsJson } from './wants-json.js';

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
