import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isFree } from '#domain/order';
import type { PaymentGateways } from '#gateway';
import { FurtherChecks, type WellFormed } from '#nest';
import { unknownMethod } from '../links/chosen-methods.js';
import { KnownLinks } from '../links/known-links.js';
import { OrderLinks } from '../order/order-links.js';
import { GATEWAYS } from '../tokens.js';
import type { CompleteCheckoutBody } from './checkout.dto.js';

/** Whether a click names a method that the gateway knows, beside its bad fields (rules/api 12). */
@Injectable()
export class PaymentChecks extends FurtherChecks<CompleteCheckoutBody> {
  constructor(
    private readonly links: KnownLinks,
    private readonly orders: OrderLinks,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
  ) {
    super();
  }

  protected async check(
    { paymentMethod }: WellFormed<CompleteCheckoutBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { linkId } = request.params as { readonly linkId: string };
    const { appId } = await this.links.findAny(linkId);
    const gateway = await this.gateways.find(appId);
    if (gateway === undefined) return;
    const isKnown = paymentMethod !== undefined && gateway.knows(paymentMethod);
    if (isKnown || (paymentMethod === undefined && (await this.isFree(linkId)))) return;
    throw unknownMethod();
  }

  /** A free order is claimed without a method. */
  private async isFree(linkId: string): Promise<boolean> {
    return this.orders.leadsToOrder(linkId) && isFree((await this.orders.findSold(linkId)).quote);
  }
}
