import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isFree } from '#domain/order';
import { type ApiError, FurtherChecks, type WellFormed } from '#nest';
import { ChosenMethods } from '../links/chosen-methods.js';
import { KnownLinks } from '../links/known-links.js';
import { OrderLinks } from '../order/order-links.js';
import type { CompleteCheckoutBody } from './checkout.dto.js';

/** Whether a click names a method that the gateway knows, beside its bad fields (rules/api 12). */
@Injectable()
export class PaymentChecks extends FurtherChecks<CompleteCheckoutBody> {
  constructor(
    private readonly links: KnownLinks,
    private readonly orders: OrderLinks,
    private readonly methods: ChosenMethods,
  ) {
    super();
  }

  /** Where the click itself was refused for its method, there is nothing more to look for. */
  override async complete(refusal: ApiError, request: FastifyRequest): Promise<ApiError> {
    const isAboutMethod = refusal.fieldViolations.some(({ field }) => field === 'paymentMethod');
    return isAboutMethod ? refusal : super.complete(refusal, request);
  }

  protected async check(
    { paymentMethod }: WellFormed<CompleteCheckoutBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { linkId } = request.params as { readonly linkId: string };
    const { appId } = await this.links.findAny(linkId);
    // A method of the gateway's own page is no bad field: the click names that page.
    const method = { paymentMethod, isEnteredAtGateway: true };
    const refusal = await this.methods.findRefusal(appId, method);
    if (refusal === undefined) return;
    if (paymentMethod === undefined && (await this.isFree(linkId))) return;
    throw refusal;
  }

  /** A free order is claimed without a method. */
  private async isFree(linkId: string): Promise<boolean> {
    return this.orders.leadsToOrder(linkId) && isFree((await this.orders.findSold(linkId)).quote);
  }
}
