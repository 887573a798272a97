import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from './admission.js';

/** Asks for the signature of a request without a JSON body; all others were let in before. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(@Inject(Admission) private readonly admission: Admission) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    await this.admission.admit(request, http.getResponse<FastifyReply>());
    return true;
  }
}
