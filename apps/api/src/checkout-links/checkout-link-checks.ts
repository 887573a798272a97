import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  CommandContexts,
  FurtherChecks,
  invalidFields,
  listBadFields,
  type WellFormed,
} from '#nest';
import type { CreateCheckoutLinkBody } from './checkout-link.dto.js';
import { CheckoutOffers } from './checkout-offers.js';
import { checkoutLinkViolations } from './link-rules.js';

/** The errors in the link of a subscription beside its bad fields (rules/api 12). */
@Injectable()
export class CheckoutLinkChecks extends FurtherChecks<CreateCheckoutLinkBody> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly offers: CheckoutOffers,
  ) {
    super();
  }

  protected async check(
    body: WellFormed<CreateCheckoutLinkBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { appId, environment, now } = await this.contexts.ofRequest(request);
    const { plan, currency, segmentId } = body;
    const found = checkoutLinkViolations(body, environment);
    const ofOffer = await listBadFields(async () => {
      if (plan === undefined || currency === undefined) return;
      await this.offers.find(appId, { plan, currency, ...(segmentId && { segmentId }) }, now);
    });
    throw invalidFields([...found, ...ofOffer]);
  }
}
