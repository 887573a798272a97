import { Injectable } from '@nestjs/common';
import { parseInstant } from '#domain/calendar';
import { type Campaign, type CampaignTerms, campaignViolations } from '#domain/loyalty-program';
import { FurtherChecks, rejected, type WellFormed } from '#nest';
import type {
  CreateLoyaltyCampaignBody,
  LoyaltyCampaignDto,
  ReviseLoyaltyCampaignBody,
} from './loyalty.dto.js';

/** The terms that a body names, as they are stored: fields in one order, so that equal terms are equal texts. */
export function campaignChanges(body: ReviseLoyaltyCampaignBody): Partial<CampaignTerms> {
  const { name, points, milestones, from, until, delivery } = body;
  return {
    ...(name !== undefined && { name }),
    ...(points && {
      points: points.map(({ currency, perMajorUnit }) => ({
        ...{ currency, perMajorUnit: String(perMajorUnit) },
      })),
    }),
    ...(milestones && { milestones: copyMilestones(milestones) }),
    ...(from !== undefined && { from: parseInstant(from) ?? from }),
    ...(until !== undefined && { until: parseInstant(until) ?? until }),
    ...(delivery !== undefined && { delivery }),
  };
}

/** The terms of a new campaign, which name everything. */
export function campaignTerms(body: CreateLoyaltyCampaignBody): CampaignTerms {
  // The DTO requires all fields: nothing is missing here.
  return campaignChanges(body) as CampaignTerms;
}

export function renderCampaign(campaign: Campaign): LoyaltyCampaignDto {
  const { campaignId: id, name, points, milestones } = campaign;
  const { from, until, delivery, createdAt, updatedAt } = campaign;
  return {
    ...{ id, name, points: points.map((rate) => ({ ...rate })) },
    milestones: copyMilestones(milestones),
    ...{ from, until, delivery, createdAt, updatedAt },
  };
}

function copyMilestones(milestones: CampaignTerms['milestones']) {
  return milestones.map(({ id, points, rewards }) => ({
    ...{ id, points },
    rewards: rewards.map(({ itemId, quantity, type }) => ({ itemId, quantity, type })),
  }));
}

/** Contradictions in a campaign, beside its bad fields (rules/api 12). */
@Injectable()
export class CampaignChecks extends FurtherChecks<CreateLoyaltyCampaignBody> {
  protected check(body: WellFormed<CreateLoyaltyCampaignBody>): void {
    const [from, until] = [parseInstant(body.from ?? ''), parseInstant(body.until ?? '')];
    const violations = campaignViolations({ ...body, from, until });
    throw rejected({ code: 'loyalty/invalid_campaign', violations });
  }
}
