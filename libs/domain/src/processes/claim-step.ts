import type { Instant } from '../event/index.js';
import { deriveClaimCommandId } from '../ids/index.js';
import type { PlanClaim } from '../player-plans/index.js';
import type { ProcessStep } from './steps.js';

/** The step that claims a plan in its player's stream, once (rules/lifecycle 15). */
export function claimStep(player: string, claim: PlanClaim, now: Instant): ProcessStep {
  const command = { kind: 'ClaimPlan', claim, now } as const;
  const commandId = deriveClaimCommandId(claim.claimId);
  return { kind: 'player_plans', id: player, command, commandId };
}

/** The step that frees plans for other subscriptions of their player. */
export function releaseStep(
  player: string,
  claimIds: readonly string[],
  now: Instant,
): ProcessStep {
  return { kind: 'player_plans', id: player, command: { kind: 'ReleasePlans', claimIds, now } };
}
