import { deriveScheduledClaimId } from '../ids/index.js';
import type { PlanClaim, PlayerBounds } from '../player-plans/index.js';
import type { PlanChanged, PlanChangeScheduled, ScheduledClaim } from './change.events.js';
import { type ChangeProgress, keptByCancel } from './change.state.js';
import type { SubscriptionEvent } from './subscription.events.js';

/** By which claims a subscription has its plans, as far as they are bounded for players (rules/lifecycle 15). */
export interface HeldClaims {
  /** Of the plan that it has; empty where nothing bounds that. */
  readonly claimId: string;
  /** Of the plan that waits for the end of the period; empty where none waits, or nothing bounds it. */
  readonly scheduledClaimId: string;
  /** Those that ended with the last event by which any could. */
  readonly freedClaimIds: readonly string[];
}

/**
 * The claim of a plan that is to wait; undefined where nothing bounds the plan.
 *
 * @param call names the one call that asks for the change: a plan that was dropped may be asked for again in the same
 *   moment of a test clock, and is claimed again then.
 */
export function scheduleClaim(
  subscriptionId: string,
  bounds: PlayerBounds | null,
  call: string,
): ScheduledClaim | undefined {
  if (bounds === null) return undefined;
  return { claimId: deriveScheduledClaimId(subscriptionId, call), bounds };
}

/** The same as the player's stream takes it; null where nothing bounds the plan that waits. */
export function findScheduledClaim(
  subscriptionId: string,
  { plan: { planId }, claim }: Pick<PlanChangeScheduled['data'], 'plan' | 'claim'>,
): PlanClaim | null {
  if (claim === undefined) return null;
  const { claimId, bounds } = claim;
  return { claimId, subscriptionId, linkId: '', attempt: 0, planId, bounds, hasTrial: false };
}

/** Folds one event into the claims, and keeps whatever else the state holds. Total. */
export function evolveClaims<
  State extends HeldClaims & Pick<ChangeProgress, 'scheduledChange'> & { readonly planId: string },
>(state: State, event: SubscriptionEvent): State {
  const { claimId } = state;
  switch (event.type) {
    case 'subscription.plan_changed.v1':
      return hold(state, { claimId: changedClaimId(state, event.data), scheduledClaimId: '' });
    case 'subscription.plan_change_scheduled.v1':
      return hold(state, { claimId, scheduledClaimId: event.data.claim?.claimId ?? '' });
    case 'subscription.canceled.v1':
      // A change that returns when the cancel is taken back is for no other subscription meanwhile.
      if (keptByCancel(state).scheduledChange !== null) return hold(state, state);
      return hold(state, { claimId, scheduledClaimId: '' });
    case 'subscription.plan_change_dropped.v1':
      return hold(state, { claimId, scheduledClaimId: '' });
    case 'subscription.expired.v1':
      return hold(state, { claimId: '', scheduledClaimId: '' });
    default:
      return state;
  }
}

/** The claim of a plan that was changed: that of the link, or of the change that waited; the same plan keeps its own. */
function changedClaimId(
  { claimId, scheduledClaimId, planId }: HeldClaims & { readonly planId: string },
  changed: PlanChanged['data'],
): string {
  const taken = changed.linkId === '' ? scheduledClaimId : (changed.claimId ?? '');
  return taken === '' && changed.planId === planId ? claimId : taken;
}

function hold<State extends HeldClaims>(
  state: State,
  { claimId, scheduledClaimId }: Pick<HeldClaims, 'claimId' | 'scheduledClaimId'>,
): State {
  const kept = ['', claimId, scheduledClaimId];
  const before = [state.claimId, state.scheduledClaimId];
  const after = { claimId, scheduledClaimId };
  return { ...state, ...after, freedClaimIds: before.filter((id) => !kept.includes(id)) };
}
