import { Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import { type CampaignProgress, loyaltyAggregate, trackProgress } from '#domain/loyalty';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { Ledger } from '#nest';
import type { Visitor } from '../session/visitor.js';

/** How far players have come in the campaigns of their app (rules/loyalty 3). */
@Injectable()
export class PlayerLoyalty {
  constructor(private readonly ledger: Ledger) {}

  /** What a player is shown; of an app without campaigns, nothing more is read. */
  async track({ appId, player }: Visitor, now: Instant): Promise<CampaignProgress[]> {
    const { campaigns } = (await this.ledger.load(loyaltyProgramAggregate, appId)).state;
    if (campaigns.length === 0) return [];
    const { state } = await this.ledger.load(loyaltyAggregate, player);
    return trackProgress(state, campaigns, now);
  }
}
