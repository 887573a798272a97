import { Body, Controller, Get, Param, Patch, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow, ApiCommandHeaders, ApiCreationHeaders } from '../../auth/allow.decorator.js';
import { PageQuery } from '../../http/page.dto.js';
import { CampaignChecks } from './campaign-terms.js';
import {
  CreateLoyaltyCampaign,
  CreateLoyaltyCampaignHandler,
  GetLoyaltyCampaign,
  GetLoyaltyCampaignHandler,
  ListLoyaltyCampaigns,
  ListLoyaltyCampaignsHandler,
  ReviseLoyaltyCampaign,
  ReviseLoyaltyCampaignHandler,
} from './loyalty.handlers.js';
import {
  CreateLoyaltyCampaignBody,
  LoyaltyCampaignDto,
  LoyaltyCampaignListDto,
  ReviseLoyaltyCampaignBody,
} from './loyalty.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const LOYALTY_HANDLERS = [
  CreateLoyaltyCampaignHandler,
  ReviseLoyaltyCampaignHandler,
  GetLoyaltyCampaignHandler,
  ListLoyaltyCampaignsHandler,
];

@ApiTags('management: loyalty')
@Allow('operator')
@Controller('manage/apps/:appId/loyalty-campaigns')
export class LoyaltyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Makes a campaign: players are shown it while it runs (rules/loyalty 1). */
  @PostOk()
  @Refuses('REVISION_MISMATCH', 'TOO_MANY_LOYALTY_CAMPAIGNS')
  @ApiCreationHeaders('ETag')
  @UseInterceptors(CampaignChecks)
  create(
    @Body() body: CreateLoyaltyCampaignBody,
    @CommandContext() context: CommandContext,
  ): Promise<LoyaltyCampaignDto> {
    return this.commands.execute(new CreateLoyaltyCampaign({ campaign: body, context }));
  }

  /** Lists the campaigns of an app, newest first, also those that have ended. */
  @Get()
  @AnswersWith('ETag')
  list(@Param('appId') appId: string, @Query() query: PageQuery): Promise<LoyaltyCampaignListDto> {
    return this.queries.execute(new ListLoyaltyCampaigns({ appId, page: query }));
  }

  /** One campaign of an app. */
  @Get(':id')
  @Refuses('LOYALTY_CAMPAIGN_NOT_FOUND')
  @AnswersWith('ETag')
  byId(@Param('appId') appId: string, @Param('id') id: string): Promise<LoyaltyCampaignDto> {
    return this.queries.execute(new GetLoyaltyCampaign({ appId, campaignId: id }));
  }

  /** Changes fields of a campaign; points follow at once, and claims stay. */
  @Patch(':id')
  @Refuses('LOYALTY_CAMPAIGN_NOT_FOUND')
  @ApiCommandHeaders()
  @UseInterceptors(CampaignChecks)
  revise(
    @Param('id') id: string,
    @Body() body: ReviseLoyaltyCampaignBody,
    @CommandContext() context: CommandContext,
  ): Promise<LoyaltyCampaignDto> {
    return this.commands.execute(
      new ReviseLoyaltyCampaign({ campaignId: id, changes: body, context }),
    );
  }
}
