import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { answer, type CommandContext, Ledger } from '#nest';
import { assertDefect, newId } from '#platform';
import { campaignTerms, renderCampaign } from '../campaign-terms.js';
import type { CreateLoyaltyCampaignBody, LoyaltyCampaignDto } from '../loyalty.dto.js';

/** Makes a campaign of an app (rules/loyalty 1). */
export class CreateLoyaltyCampaign extends Command<LoyaltyCampaignDto> {
  constructor(
    readonly campaign: CreateLoyaltyCampaignBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
