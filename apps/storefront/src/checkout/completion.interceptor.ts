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
import { declinedPayment } from './payment-decline.js';

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

/** @throws ApiError 9 PAYMENT_DECLINED, with the header of a replay beside it. */
function answer({ outcome, replayed }: CheckoutResult, reply: FastifyReply): CompletedCheckout {
  if (replayed) reply.header('idempotency-replayed', 'true');
  if (outcome.kind === 'declined') throw declinedPayment(outcome.decline);
  if (outcome.kind === 'pending') {
    reply.status(202);
    return { status: 'pending' };
  }
  setConsistencyToken(reply, outcome.position);
  return { subscriptionId: outcome.subscriptionId, status: outcome.status };
}
