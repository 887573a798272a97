import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { answer, CommandContexts, Ledger } from '#nest';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage } from '../../../http/page.js';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import { newestFirst } from '../../versions.js';
import { renderCampaign } from '../campaign-terms.js';
import type { LoyaltyCampaignListDto } from '../loyalty.dto.js';

/** A page of the campaigns of an app, newest first, also of those that have ended. */
export class ListLoyaltyCampaigns extends Query<LoyaltyCampaignListDto> {
  constructor(
    readonly appId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListLoyaltyCampaigns)
export class ListLoyaltyCampaignsHandler implements IQueryHandler<ListLoyaltyCampaigns> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListLoyaltyCampaigns): Promise<LoyaltyCampaignListDto> {
    await this.contexts.requireApp(appId);
    const { state, revision } = await this.ledger.load(loyaltyProgramAggregate, appId);
    // Campaigns stay, in the order in which they were made: their places are for good, as numbers of versions are.
    const { sorted, keyOf } = newestFirst(
      state.campaigns.map((campaign, index) => ({ campaign, version: index + 1 })),
    );
    const list = JSON.stringify(['loyalty campaigns', appId]);
    const { items, nextPageToken } = cutPage(sorted, keyOf, page, list, this.pageTokens);
    const loyaltyCampaigns = items.map(({ campaign }) => renderCampaign(campaign));
    return answer({ loyaltyCampaigns, nextPageToken }, { revision });
  }
}
