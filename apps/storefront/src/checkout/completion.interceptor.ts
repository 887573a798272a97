import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { setConsistencyToken } from '#nest';
import type { CompletedCheckout } from './checkout.dto.js';
import type { CheckoutOutcome } from './checkout-outcome.handler.js';

/** What came of a click, and whether the same request was seen before. */
export interface CheckoutResult {
  readonly outcome: CheckoutOutcome;
  readonly replayed: boolean;
}

/** Answers with the outcome: 202 while it is not known, and the headers of a command. */
@Injectable()
export class CompletionInterceptor implements NestInterceptor<CheckoutResult, CompletedCheckout> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<CheckoutResult>,
  ): Observable<CompletedCheckout> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result) => answer(result, reply)));
  }
}

function answer({ outcome, replayed }: CheckoutResult, reply: FastifyReply): CompletedCheckout {
  if (replayed) reply.header('idempotency-replayed', 'true');
  if (outcome.kind === 'pending') {
    reply.status(202);
    return { status: 'pending' };
  }
  setConsistencyToken(reply, outcome.position);
  return { subscriptionId: outcome.subscriptionId, status: outcome.status };
}
