import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PaymentGateways } from '#gateway';
import { FurtherChecks, invalidFields, type WellFormed } from '#nest';
import { KnownLinks } from '../links/known-links.js';
import { GATEWAYS } from '../tokens.js';
import type { CompleteCheckoutBody } from './checkout.dto.js';

/** Whether a click names a method that the gateway knows, beside its bad fields (rules/api 12). */
@Injectable()
export class PaymentChecks extends FurtherChecks<CompleteCheckoutBody> {
  constructor(
    private readonly links: KnownLinks,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
  ) {
    super();
  }

  protected async check(
    { paymentMethod }: WellFormed<CompleteCheckoutBody>,
    request: FastifyRequest,
  ): Promise<void> {
    if (paymentMethod === undefined) return;
    const { linkId } = request.params as { readonly linkId: string };
    const { appId } = await this.links.findAny(linkId);
    const gateway = await this.gateways.find(appId);
    if (gateway === undefined || gateway.knows(paymentMethod)) return;
    const description = 'must be a payment method that the gateway knows';
    throw invalidFields([{ field: 'paymentMethod', description }]);
  }
}
