import { unknownEvent } from '../decider/index.js';
import type {
  PlanClaim,
  PlanRefusal,
  PlayerPlansEvent,
  WantedPlan,
} from './player-plans.events.js';

/** A plan by which a trial or a subscription counts against others. */
type CountedPlan = Pick<PlanClaim, 'planId' | 'subscriptionId'> & {
  readonly exclusiveGroup: string;
};

type HeldPlan = CountedPlan & Pick<PlanClaim, 'claimId' | 'linkId'>;

/** The plans that a player has or is about to have, and the trials that the player has had, as far as plans bound them. */
export interface PlayerPlans {
  readonly held: readonly HeldPlan[];
  /** Each plan and group once, for good. */
  readonly trials: readonly CountedPlan[];
}

export const newPlayerPlans: PlayerPlans = { held: [], trials: [] };

/** Folds one event of a player's plans. */
export function evolvePlayerPlans(state: PlayerPlans, event: PlayerPlansEvent): PlayerPlans {
  switch (event.type) {
    case 'player_plans.claimed.v1':
      return claimed(state, event.data);
    case 'player_plans.refused.v1':
      return state;
    case 'player_plans.released.v1': {
      const released = new Set(event.data.claimIds);
      return { ...state, held: state.held.filter(({ claimId }) => !released.has(claimId)) };
    }
    default:
      return unknownEvent(state, event);
  }
}

/**
 * Why the player does not get a plan; null where nothing stands in the way. A group counts as one plan, for trials
 * as for subscriptions (rules/lifecycle 15).
 *
 * @param subscriptionId whose own claim does not stand in its way; empty where it has not begun.
 */
export function findPlanRefusal(
  { held, trials }: PlayerPlans,
  { planId, bounds, hasTrial }: WantedPlan,
  subscriptionId: string,
): PlanRefusal | null {
  const { trialOncePerPlayer, onePerPlayer, exclusiveGroup } = bounds;
  const counts = (other: CountedPlan, countsPlan: boolean) =>
    other.subscriptionId !== subscriptionId &&
    ((exclusiveGroup !== '' && other.exclusiveGroup === exclusiveGroup) ||
      (countsPlan && other.planId === planId));
  if (held.some((other) => counts(other, onePerPlayer))) return 'player_plans/plan_held';
  const boundsTrial = trialOncePerPlayer && hasTrial;
  return boundsTrial && trials.some((other) => counts(other, true))
    ? 'player_plans/trial_taken'
    : null;
}

/** A later attempt on a link takes the place of the one before, which buys nothing any more (rules/payments 2). */
function claimed(state: PlayerPlans, claim: PlanClaim): PlayerPlans {
  const { claimId, subscriptionId, linkId, planId, hasTrial, bounds } = claim;
  const plan = { planId, exclusiveGroup: bounds.exclusiveGroup, subscriptionId };
  const held = state.held.filter((other) => linkId === '' || other.linkId !== linkId);
  const isKnown = state.trials.some(
    (other) => other.planId === planId && other.exclusiveGroup === plan.exclusiveGroup,
  );
  return {
    held: [...held, { claimId, linkId, ...plan }],
    trials: hasTrial && !isKnown ? [...state.trials, plan] : state.trials,
  };
}
