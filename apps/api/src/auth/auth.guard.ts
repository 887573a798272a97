import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertDefect } from '#platform';
import { Admission } from './admission.js';

/**
 * The guard of every route: `@Public()` is the exception. Most callers were admitted before their
 * body was read (rules/http 2); the signature of a request without a body is judged here. A route
 * that says neither `@Allow` nor `@Public()` is refused as a defect of ours.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(private readonly admission: Admission) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.caller !== undefined) return true;
    const { callers, isPublic } = request.routeOptions.config;
    if (isPublic === true) return true;
    assertDefect(callers !== undefined, 'a route that says neither @Allow nor @Public()');
    const admitted = this.admission.admit(request, http.getResponse<FastifyReply>());
    return admitted === undefined || admitted.then(() => true);
  }
}
