import { accept, type Decision, reject } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { TaxRates } from '../pricing/index.js';
import type { RegionChanged } from './change.events.js';
import { findObstacle } from './change.obstacles.js';
import type { ChangeRejection } from './change.quote.js';
import { type NextCharge, quoteNextCharge } from './next-charge.js';
import type { StartedSubscription } from './subscription.state.js';

/** The studio has learnt that the player lives somewhere else (rules/lifecycle 13). */
export interface ChangeRegion {
  readonly kind: 'ChangeRegion';
  /** A CLDR region, `DE` or `US-NY`; empty where none is known. */
  readonly regionCode: string;
  readonly now: Instant;
}

/** The next charge in a region, or why the region cannot be changed. */
export type QuotedRegion =
  | { readonly accepted: true; readonly next: NextCharge }
  | { readonly accepted: false; readonly rejection: ChangeRejection };

/** Decides about another region: it counts from the next charge on. */
export function changeRegion(
  { regionCode, now }: ChangeRegion,
  state: StartedSubscription,
): Decision<RegionChanged, ChangeRejection> {
  const obstacle = findObstacle(state, now);
  if (obstacle !== null) return reject(obstacle);
  if (regionCode === state.regionCode) return accept();
  const data = { regionCode, changedAt: now };
  return accept({ type: 'subscription.region_changed.v1', data });
}

/** The present result of `changeRegion`. */
export function quoteRegion(
  state: StartedSubscription,
  {
    regionCode,
    taxRates,
    now,
  }: Pick<ChangeRegion, 'regionCode' | 'now'> & { readonly taxRates: TaxRates },
): QuotedRegion {
  const obstacle = findObstacle(state, now);
  if (obstacle !== null) return reject(obstacle);
  return { accepted: true, next: quoteNextCharge({ ...state, regionCode }, taxRates) };
}
