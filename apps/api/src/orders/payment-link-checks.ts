import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CommandContexts, FurtherChecks, invalidFields, type WellFormed } from '#nest';
import type { CreatePaymentLinkBody } from './order.dto.js';
import { paymentLinkViolations } from './order-rules.js';

/** The errors in an order beside its bad fields (rules/api 12). */
@Injectable()
export class PaymentLinkChecks extends FurtherChecks<CreatePaymentLinkBody> {
  constructor(private readonly contexts: CommandContexts) {
    super();
  }

  protected async check(
    body: WellFormed<CreatePaymentLinkBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { environment } = await this.contexts.ofRequest(request);
    throw invalidFields(paymentLinkViolations(body, environment));
  }
}
