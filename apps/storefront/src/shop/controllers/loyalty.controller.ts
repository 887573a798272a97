import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiSecurity } from '@nestjs/swagger';
import { PostOk } from '#nest';
import { AnswersInShop, ChangesShop } from './shop-controller.decorator.js';
import { changed, type ShopAnswer } from '../http/shop-answer.js';
import { CHANGE_OF_SHOP } from '../http/shop-route.js';
import { Visit } from '../http/visit.decorator.js';
import { ClaimMilestone, ClaimMilestoneHandler } from '../loyalty/claim-milestone.js';
import { CampaignDto } from '../loyalty/loyalty.dto.js';
import { toCampaignModel } from '../loyalty/player-loyalty.js';
import { ShopFormBody } from '../session/session.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const LOYALTY_HANDLERS = [ClaimMilestoneHandler];

/** The progress that players have reached by buying (rules/loyalty 3). */
@AnswersInShop('loyalty')
@ApiSecurity('session')
@Controller('shop/milestones')
export class ShopLoyaltyController {
  constructor(private readonly commands: CommandBus) {}

  /** Claims the rewards of a milestone, once for a player. */
  @PostOk(':campaignId/:milestoneId/claim')
  @ChangesShop(
    CHANGE_OF_SHOP,
    'IDEMPOTENCY_KEY_REUSED',
    'LOYALTY_CAMPAIGN_NOT_FOUND',
    'MILESTONE_LOCKED',
    'MILESTONE_NOT_FOUND',
    'TOO_MANY_IDEMPOTENCY_KEYS',
    'TOO_MANY_REQUESTS',
  )
  @ApiOkResponse({ type: CampaignDto })
  async claim(
    @Param('campaignId') campaignId: string,
    @Param('milestoneId') milestoneId: string,
    @Body() { formId }: ShopFormBody,
    @Visit() visit: Visit,
  ): Promise<ShopAnswer<CampaignDto>> {
    const claim = new ClaimMilestone({ form: { ...visit, formId }, campaignId, milestoneId });
    return changed(toCampaignModel(await this.commands.execute(claim)), '/shop');
  }
}
