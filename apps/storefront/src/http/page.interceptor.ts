import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { RenderedPage } from '../pages/render-page.js';
import { setPageHeaders } from './send-page.js';

/** Sends a rendered page with its status and with the permissions of browsers on it. */
@Injectable()
export class PageInterceptor implements NestInterceptor<RenderedPage, string> {
  intercept(context: ExecutionContext, next: CallHandler<RenderedPage>): Observable<string> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((page) => {
        setPageHeaders(reply, page);
        return page.html;
      }),
    );
  }
}
