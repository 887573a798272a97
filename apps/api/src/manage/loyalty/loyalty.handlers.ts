import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { findCampaign, loyaltyProgramAggregate } from '#domain/loyalty-program';
import {
  answer,
  type CommandContext,
  CommandContexts,
  commandWith,
  Ledger,
  queryWith,
  rejected,
} from '#nest';
import { assertDefect, newId } from '#platform';
import { cutPage, type PageTokens } from '../../http/page-token.js';
import type { PageQuery } from '../../http/page.dto.js';
import { PAGE_TOKENS } from '../../tokens.js';
import { newestFirst } from '../versions.js';
import { campaignChanges, campaignTerms, renderCampaign } from './campaign-terms.js';
import type {
  CreateLoyaltyCampaignBody,
  LoyaltyCampaignDto,
  LoyaltyCampaignListDto,
  ReviseLoyaltyCampaignBody,
} from './loyalty.dto.js';

/** Makes a campaign of an app (rules/loyalty 1). */
export class CreateLoyaltyCampaign extends commandWith<
  { campaign: CreateLoyaltyCampaignBody; context: CommandContext },
  LoyaltyCampaignDto
>() {}

@CommandHandler(CreateLoyaltyCampaign)
export class CreateLoyaltyCampaignHandler implements ICommandHandler<CreateLoyaltyCampaign> {
  constructor(private readonly ledger: Ledger) {}

  /** @throws ApiError 3 for terms that do not go together, 9 where the app has as many as it can have. */
  async execute({ campaign, context }: CreateLoyaltyCampaign): Promise<LoyaltyCampaignDto> {
    const { ifMatch: _ofNothingYet, ...creating } = context;
    const { appId, now } = creating;
    const campaignId = newId('loy', now, readBucket(appId));
    const terms = campaignTerms(campaign);
    const command = { kind: 'CreateCampaign', campaignId, terms, now } as const;
    const result = await this.ledger.execute(loyaltyProgramAggregate, appId, command, creating);
    // The state is that of right after the command, also where its key was used before: the last campaign is the
    // created one.
    const created = result.state.campaigns.at(-1);
    assertDefect(created !== undefined, 'a campaign that was made just now');
    return answer(renderCampaign(created), result);
  }
}

/** Changes fields of a campaign; claims stay (rules/loyalty 1). */
export class ReviseLoyaltyCampaign extends commandWith<
  { campaignId: string; changes: ReviseLoyaltyCampaignBody; context: CommandContext },
  LoyaltyCampaignDto
>() {}

@CommandHandler(ReviseLoyaltyCampaign)
export class ReviseLoyaltyCampaignHandler implements ICommandHandler<ReviseLoyaltyCampaign> {
  constructor(private readonly ledger: Ledger) {}

  /** @throws ApiError 3 for terms that do not go together, 5 for a campaign that the app does not have. */
  async execute(revise: ReviseLoyaltyCampaign): Promise<LoyaltyCampaignDto> {
    const { campaignId, changes: body, context } = revise;
    const { appId, now } = context;
    const changes = campaignChanges(body);
    const command = { kind: 'ReviseCampaign', campaignId, changes, now } as const;
    const result = await this.ledger.execute(loyaltyProgramAggregate, appId, command, context);
    const revised = findCampaign(result.state, campaignId);
    assertDefect(revised !== undefined, 'a command accepted by no campaign');
    return answer(renderCampaign(revised), result);
  }
}

/** One campaign of an app. */
export class GetLoyaltyCampaign extends queryWith<
  { appId: string; campaignId: string },
  LoyaltyCampaignDto
>() {}

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

/** A page of the campaigns of an app, newest first, also of those that have ended. */
export class ListLoyaltyCampaigns extends queryWith<
  { appId: string; page: PageQuery },
  LoyaltyCampaignListDto
>() {}

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
