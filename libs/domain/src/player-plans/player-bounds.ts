import type { Period } from '../calendar/index.js';

/** How often one player may have a plan (rules/lifecycle 15). */
export interface PlayerBounds {
  /** Whether a player who has had the trial is not sold the plan any more. */
  readonly trialOncePerPlayer: boolean;
  /** Whether a player has one live subscription of the plan at most. */
  readonly onePerPlayer: boolean;
  /** Of all plans of the app with this name a player has one at most; empty where the plan is of no group. */
  readonly exclusiveGroup: string;
}

/** Those of a plan that says nothing of them. */
export const NO_BOUNDS: PlayerBounds = {
  trialOncePerPlayer: false,
  onePerPlayer: false,
  exclusiveGroup: '',
};

/** The bounds of a plan, as far as they keep a player from buying it; null where a player may buy it at any time. */
export function findBounds({
  trial,
  trialOncePerPlayer,
  onePerPlayer,
  exclusiveGroup,
}: PlayerBounds & { readonly trial: Period | null }): PlayerBounds | null {
  const bounds = { trialOncePerPlayer, onePerPlayer, exclusiveGroup };
  const boundsTrial = trialOncePerPlayer && trial !== null;
  return boundsTrial || onePerPlayer || exclusiveGroup !== '' ? bounds : null;
}
