import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { findCampaign, loyaltyProgramAggregate } from '#domain/loyalty-program';
import { answer, CommandContexts, Ledger, rejected } from '#nest';
import { renderCampaign } from '../campaign-terms.js';
import type { LoyaltyCampaignDto } from '../loyalty.dto.js';

/** One campaign of an app. */
export class GetLoyaltyCampaign extends Query<LoyaltyCampaignDto> {
  constructor(
    readonly appId: string,
    readonly campaignId: string,
  ) {
    super();
  }
}

@QueryHandler(GetLoyaltyCampaign)
export class GetLoyaltyCampaignHandler implements IQueryHandler<GetLoyaltyCampaign> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
  ) {}

  async execute({ appId, campaignId }: GetLoyaltyCampaign): Promise<LoyaltyCampaignDto> {
    await this.contexts.requireApp(appId);
    const { state, revision } = await this.ledger.load(loyaltyProgramAggregate, appId);
    const campaign = findCampaign(state, campaignId);
    if (campaign === undefined) throw rejected({ code: 'loyalty/campaign_not_found' });
    return answer(renderCampaign(campaign), { revision });
  }
}
