import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PaymentGateways } from '#gateway';
import { commandWith, gatewayNotConfigured, Ledger } from '#nest';
import { GATEWAYS, STOREFRONT_URL } from '../tokens.js';
import type { CardFormBody } from './checkout.dto.js';
import { KnownLinks } from '../links/known-links.js';
import { OrderLinks } from '../order/order-links.js';
import { findPlanRefusal } from './plan-refusal.js';

/** A player goes to the gateway's page to enter a card. @returns its address. */
export class BeginCardEntry extends commandWith<{ linkId: string; form: CardFormBody }, string>() {}

/** The amount on the link's page goes with the player, so that never more is charged (rules/payments 18). */
@CommandHandler(BeginCardEntry)
export class BeginCardEntryHandler implements ICommandHandler<BeginCardEntry> {
  constructor(
    private readonly links: KnownLinks,
    private readonly orders: OrderLinks,
    private readonly ledger: Ledger,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(STOREFRONT_URL) private readonly storefrontUrl: string,
  ) {}

  /** @throws ApiError where cards are not entered so, or where the player has the plan; Fault `unavailable` of the gateway. */
  async execute({ linkId, form }: BeginCardEntry): Promise<string> {
    const isOfOrder = this.orders.leadsToOrder(linkId);
    const link = await (isOfOrder ? this.orders.find(linkId) : this.links.find(linkId));
    const { appId, language } = link;
    const cards = (await this.gateways.find(appId))?.cards;
    if (cards === undefined) throw gatewayNotConfigured();
    // No card is entered for a purchase that is refused afterwards.
    const refusal = 'offer' in link ? await findPlanRefusal(this.ledger, link) : undefined;
    if (refusal !== undefined) throw refusal;
    const { attemptKey: key, amountCents, quotedAt, emailMarketingOptIn } = form;
    const page = `${this.storefrontUrl}/checkout/${encodeURIComponent(linkId)}`;
    return cards.begin({
      ...{ key, linkId, language, returnUrl: `${page}/card`, cancelUrl: page },
      details: {
        ...(amountCents !== undefined && { amountCents }),
        ...(quotedAt !== undefined && { quotedAt }),
        ...(emailMarketingOptIn !== undefined && { emailMarketingOptIn }),
      },
    });
  }
}
