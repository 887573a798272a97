import type { CreatedApp } from '#domain/app';
import type { PlayerOrigin } from './player-origin.js';

/**
 * The region of a player, for tax and prices: as the studio's link says, else as a trusted proxy does, else the app's
 * own; empty where nothing is known (rules/storefront 10).
 */
export function chooseRegion(
  ofLink: string,
  origin: Pick<PlayerOrigin, 'regionCode'> | undefined,
  { defaultRegionCode }: Pick<CreatedApp, 'defaultRegionCode'>,
): string {
  return ofLink || origin?.regionCode || defaultRegionCode;
}
