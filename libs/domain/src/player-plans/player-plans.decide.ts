import { accept, type AnyRejection, type Decision, defineAggregate } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { PlanClaim, PlanRefusal, PlayerPlansEvent } from './player-plans.events.js';
import {
  evolvePlayerPlans,
  findPlanRefusal,
  newPlayerPlans,
  type PlayerPlans,
} from './player-plans.state.js';

export type PlayerPlansCommand =
  /** Given once for each claim: its command id tells a repetition. */
  | { readonly kind: 'ClaimPlan'; readonly claim: PlanClaim; readonly now: Instant }
  | {
      readonly kind: 'ReleasePlans';
      readonly claimIds: readonly string[];
      readonly now: Instant;
    };

/** The rejection where the bounds of a plan are used up; a claim itself is answered by an event. */
export interface PlayerPlansRejection extends AnyRejection {
  readonly code: PlanRefusal;
}

/** Decides for one player, where the claims of all links and changes are in an order (rules/lifecycle 15). */
function decidePlayerPlans(
  command: PlayerPlansCommand,
  state: PlayerPlans,
): Decision<PlayerPlansEvent, PlayerPlansRejection> {
  switch (command.kind) {
    case 'ClaimPlan':
      return accept(answerClaim(command, state));
    case 'ReleasePlans': {
      const { claimIds, now: releasedAt } = command;
      const held = claimIds.filter((id) => state.held.some(({ claimId }) => claimId === id));
      if (held.length === 0) return accept();
      return accept({ type: 'player_plans.released.v1', data: { claimIds: held, releasedAt } });
    }
  }
}

/** A refusal is an event: the asking stream reads it. */
function answerClaim(
  { claim, now }: Extract<PlayerPlansCommand, { kind: 'ClaimPlan' }>,
  state: PlayerPlans,
): PlayerPlansEvent {
  const { claimId, subscriptionId, linkId, attempt, planId } = claim;
  const refusal = findPlanRefusal(state, claim, subscriptionId);
  if (refusal === null) {
    return { type: 'player_plans.claimed.v1', data: { ...claim, claimedAt: now } };
  }
  const asked = { claimId, subscriptionId, linkId, attempt, planId };
  return { type: 'player_plans.refused.v1', data: { ...asked, refusal, refusedAt: now } };
}

/** One stream for each player, named by the pseudonym; an erasure leaves it as it is (rules/storage 16). */
export const playerPlansAggregate = defineAggregate('player_plans', {
  initialState: newPlayerPlans,
  evolve: evolvePlayerPlans,
  decide: decidePlayerPlans,
});
