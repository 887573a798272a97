import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import { addVary } from '#nest';
import { setPageHeaders } from '../../http/send-page.js';
import { wantsJson } from '../../http/wants-json.js';
import type { ShopAnswer } from './shop-answer.js';

/** Gives programs the model, and browsers the page or the way to it. */
@Injectable()
export class ShopInterceptor implements NestInterceptor<ShopAnswer, object | string> {
  intercept(context: ExecutionContext, next: CallHandler<ShopAnswer>) {
    const http = context.switchToHttp();
    const isForProgram = wantsJson(http.getRequest<FastifyRequest>());
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        if (answer.kind === 'changed') reply.headers(answer.headers);
        if (answer.kind === 'noted') return toData(null, reply);
        return isForProgram ? toData(readModel(answer), reply) : toBrowser(answer, reply);
      }),
    );
  }
}

type Told = Exclude<ShopAnswer, { readonly kind: 'noted' }>;

function toData(model: object | null, reply: FastifyReply): object | string {
  addVary(reply, 'accept');
  if (model !== null) return model;
  reply.status(204);
  return '';
}

function readModel(answer: Told): object | null {
  return answer.kind === 'shown' ? answer.model() : answer.model;
}

function toBrowser(answer: Told, reply: FastifyReply): string {
  if (answer.kind === 'changed') {
    reply.status(303).header('location', answer.leadsTo);
    return '';
  }
  const { html, ...page } = answer.render();
  setPageHeaders(reply, page);
  addVary(reply, 'accept');
  return html;
}
