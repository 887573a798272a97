import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { findCampaign, loyaltyProgramAggregate } from '#domain/loyalty-program';
import { answer, type CommandContext, Ledger } from '#nest';
import { assertDefect } from '#platform';
import { campaignChanges, renderCampaign } from '../campaign-terms.js';
import type { LoyaltyCampaignDto, ReviseLoyaltyCampaignBody } from '../loyalty.dto.js';

/** Changes fields of a campaign; claims stay (rules/loyalty 1). */
export class ReviseLoyaltyCampaign extends Command<LoyaltyCampaignDto> {
  constructor(
    readonly campaignId: string,
    readonly changes: ReviseLoyaltyCampaignBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
