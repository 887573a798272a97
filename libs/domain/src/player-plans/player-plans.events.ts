import type { DomainEvent, Instant } from '../event/index.js';
import type { PlayerBounds } from './player-bounds.js';

/** A plan that a player is about to get, as it was offered. */
export interface WantedPlan {
  readonly planId: string;
  readonly bounds: PlayerBounds;
  readonly hasTrial: boolean;
}

/** The claimant of a plan: an attempt on a checkout link, or a change that waits for the end of a period. */
export interface PlanClaim extends WantedPlan {
  readonly claimId: string;
  /** The subscription that has the plan, or will have it. */
  readonly subscriptionId: string;
  /** Empty where no link asks. */
  readonly linkId: string;
  /** Of the link, counted from 1; 0 where no link asks. */
  readonly attempt: number;
}

/** Why a player does not get a plan. */
export type PlanRefusal = 'player_plans/plan_held' | 'player_plans/trial_taken';

/** The player has the plan from here on, or is about to: for other subscriptions its bounds are used up. */
export type PlanClaimed = DomainEvent<
  'player_plans.claimed.v1',
  PlanClaim & { readonly claimedAt: Instant }
>;
/** The bounds of the plan are used up. */
export type PlanRefused = DomainEvent<
  'player_plans.refused.v1',
  Pick<PlanClaim, 'claimId' | 'subscriptionId' | 'linkId' | 'attempt' | 'planId'> & {
    readonly refusal: PlanRefusal;
    readonly refusedAt: Instant;
  }
>;
/** Nothing came of these claims, or their subscription has the plan no more. A trial stays taken. */
export type PlansReleased = DomainEvent<
  'player_plans.released.v1',
  { readonly claimIds: readonly string[]; readonly releasedAt: Instant }
>;

export type PlayerPlansEvent = PlanClaimed | PlanRefused | PlansReleased;
