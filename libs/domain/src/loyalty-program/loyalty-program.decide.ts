import { deepEqual } from 'fast-equals';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  type FieldViolation,
  reject,
  rejectFields,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { CampaignTerms, LoyaltyProgramEvent } from './loyalty-program.events.js';
import {
  evolveLoyaltyProgram,
  findCampaign,
  type LoyaltyProgram,
  newLoyaltyProgram,
} from './loyalty-program.state.js';

export type LoyaltyProgramCommand =
  | {
      readonly kind: 'CreateCampaign';
      readonly campaignId: string;
      readonly terms: CampaignTerms;
      readonly now: Instant;
    }
  | {
      readonly kind: 'ReviseCampaign';
      readonly campaignId: string;
      readonly changes: Partial<CampaignTerms>;
      readonly now: Instant;
    };

export interface LoyaltyProgramRejection extends AnyRejection {
  readonly code:
    'loyalty/campaign_not_found' | 'loyalty/invalid_campaign' | 'loyalty/too_many_campaigns';
  readonly violations?: readonly FieldViolation[];
}

type ProgramDecision = Decision<LoyaltyProgramEvent, LoyaltyProgramRejection>;

/** Ended ones among them: a shop's page looks through all (decision 0036). */
export const MAX_CAMPAIGNS = 200;

/** Decides for the campaigns of one app (rules/loyalty 1). */
function decideLoyaltyProgram(
  command: LoyaltyProgramCommand,
  state: LoyaltyProgram,
): ProgramDecision {
  const { campaignId, now } = command;
  const found = findCampaign(state, campaignId);
  if (command.kind === 'ReviseCampaign') {
    if (found === undefined) return reject('loyalty/campaign_not_found', campaignId);
    const { changes } = command;
    const violations = campaignViolations({ ...found, ...changes });
    if (violations.length > 0) return rejectFields('loyalty/invalid_campaign', violations);
    if (deepEqual({ ...found, ...changes }, found)) return accept();
    const data = { campaignId, ...changes, revisedAt: now };
    return accept({ type: 'loyalty_program.campaign_revised.v1', data });
  }
  if (found !== undefined) return accept();
  const violations = campaignViolations(command.terms);
  if (violations.length > 0) return rejectFields('loyalty/invalid_campaign', violations);
  if (state.campaigns.length >= MAX_CAMPAIGNS) return reject('loyalty/too_many_campaigns');
  const data = { campaignId, ...command.terms, createdAt: now };
  return accept({ type: 'loyalty_program.campaign_created.v1', data });
}

/** The terms of a campaign that are compared, without invalid ones. */
interface ComparedTerms {
  readonly points?: readonly { readonly currency?: string }[];
  readonly milestones?: readonly { readonly id?: string; readonly points?: number }[];
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
}

/** The contradictions in a campaign, each field by its path. */
export function campaignViolations(terms: ComparedTerms): FieldViolation[] {
  const { points = [], milestones = [], from, until } = terms;
  const ids = milestones.map(({ id }) => id);
  const currencies = points.map(({ currency }) => currency);
  return [
    ...repeated(currencies).map((index) => violation(`points[${index}].currency`, NAMED_TWICE)),
    ...repeated(ids).map((index) => violation(`milestones[${index}].id`, NAMED_TWICE)),
    ...milestones.flatMap((milestone, index) => {
      const before = milestones[index - 1]?.points ?? 0;
      if (milestone.points === undefined || milestone.points > before) return [];
      return [violation(`milestones[${index}].points`, `must be above ${before}: they ascend`)];
    }),
    ...(from === undefined || until === undefined || from < until
      ? []
      : [violation('until', 'must lie behind from')]),
  ];
}

const NAMED_TWICE = 'is named before';

/** The index of the first text that stands twice. */
function repeated(texts: readonly (string | undefined)[]): number[] {
  return texts.flatMap((text, index) =>
    text !== undefined && texts.indexOf(text) < index ? [index] : [],
  );
}

function violation(field: string, description: string): FieldViolation {
  return { field, description };
}

/** One stream for each app: its campaigns are read whole, and has a limit (decision 0036). */
export const loyaltyProgramAggregate = defineAggregate('loyalty_program', {
  initialState: newLoyaltyProgram,
  evolve: evolveLoyaltyProgram,
  decide: decideLoyaltyProgram,
});
