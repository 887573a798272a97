import { Injectable } from '@nestjs/common';
import { parseInstant } from '#domain/calendar';
import { campaignViolations } from '#domain/loyalty-program';
import { FurtherChecks, rejected, type WellFormed } from '#nest';
import type { CreateLoyaltyCampaignBody } from './loyalty.dto.js';

/** Contradictions in a campaign, beside its bad fields (rules/api 12). */
@Injectable()
export class CampaignChecks extends FurtherChecks<CreateLoyaltyCampaignBody> {
  protected check(body: WellFormed<CreateLoyaltyCampaignBody>): void {
    const [from, until] = [parseInstant(body.from ?? ''), parseInstant(body.until ?? '')];
    const violations = campaignViolations({ ...body, from, until });
    throw rejected({ code: 'loyalty/invalid_campaign', violations });
  }
}
