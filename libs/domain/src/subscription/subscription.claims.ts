import type { SubscriptionEvent } from './subscription.events.js';

/** By which claims a subscription has its plan, as far as the plan is bounded for players (rules/lifecycle 15). */
export interface HeldClaims {
  /** Of the plan that it has; empty where nothing bounds that. */
  readonly claimId: string;
  /** Those that ended with the last event by which any could. */
  readonly freedClaimIds: readonly string[];
}

/** Folds one event into the claims, and keeps whatever else the state holds. Total. */
export function evolveClaims<State extends HeldClaims>(
  state: State,
  event: SubscriptionEvent,
): State {
  if (event.type !== 'subscription.expired.v1') return state;
  const { claimId } = state;
  return { ...state, claimId: '', freedClaimIds: claimId === '' ? [] : [claimId] };
}
