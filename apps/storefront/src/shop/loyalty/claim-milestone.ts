import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CampaignProgress, loyaltyAggregate, trackCampaign } from '#domain/loyalty';
import { findCampaign, loyaltyProgramAggregate } from '#domain/loyalty-program';
import { commandWith, Ledger, rejected } from '#nest';
import { type ShopForm, ShopForms } from '../http/shop-forms.js';

/** A claim stays: a form that claims it once more would never be answered otherwise. */
const RECORDING = { isNeeded: () => false, max: 0 };

/** A player claims the rewards of a milestone, once (rules/loyalty 3). */
export class ClaimMilestone extends commandWith<
  { form: ShopForm; campaignId: string; milestoneId: string },
  CampaignProgress
>() {}

@CommandHandler(ClaimMilestone)
export class ClaimMilestoneHandler implements ICommandHandler<ClaimMilestone> {
  constructor(
    private readonly ledger: Ledger,
    private readonly forms: ShopForms,
  ) {}

  /** @throws ApiError 5 for a milestone that the player is not shown, 9 for one that is not reached. */
  async execute({ form, campaignId, milestoneId }: ClaimMilestone): Promise<CampaignProgress> {
    const { appId, player } = form.visitor;
    const context = await this.forms.accept(form, ['milestone', campaignId, milestoneId]);
    const { state: program } = await this.ledger.load(loyaltyProgramAggregate, appId);
    const campaign = findCampaign(program, campaignId);
    if (campaign === undefined || campaign.from > context.now) {
      throw rejected({ code: 'loyalty/campaign_not_found' });
    }
    const command = { kind: 'ClaimMilestone', campaign, milestoneId, now: context.now } as const;
    const options = { recording: RECORDING };
    const result = await this.ledger.execute(loyaltyAggregate, player, command, context, options);
    return trackCampaign(result.state, campaign);
  }
}
