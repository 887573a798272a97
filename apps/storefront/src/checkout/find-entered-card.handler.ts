import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { EnteredCard, PaymentGateways } from '#gateway';
import { gatewayNotConfigured, invalidFields, queryWith } from '#nest';
import { GATEWAYS } from '../tokens.js';
import { KnownLinks } from '../links/known-links.js';

/** The card that a player has entered on the gateway's page, for this link. */
export class FindEnteredCard extends queryWith<
  { linkId: string; session: string },
  EnteredCard
>() {}

@QueryHandler(FindEnteredCard)
export class FindEnteredCardHandler implements IQueryHandler<FindEnteredCard> {
  constructor(
    private readonly links: KnownLinks,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
  ) {}

  /** @throws ApiError where nothing was entered, or not for this link; Fault `unavailable` of the gateway. */
  async execute({ linkId, session }: FindEnteredCard): Promise<EnteredCard> {
    const { appId } = await this.links.findAny(linkId);
    const cards = (await this.gateways.find(appId))?.cards;
    if (cards === undefined) throw gatewayNotConfigured();
    const entered = await cards.find(session, linkId);
    if (entered !== undefined) return entered;
    const description = 'is no session in which a card was entered for this link';
    throw invalidFields([{ field: 'session', description }]);
  }
}
