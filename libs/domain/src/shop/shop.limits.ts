import type { Instant } from '../event/index.js';
import { isRecent, type Shop } from './shop.state.js';

/** The knowledge beside the player's own stream when pieces are counted. */
export interface CountedAt {
  /**
   * Of the orders that were charged for, those that count no more: declined, ended, or paid some time ago, and their
   * webhook is delivered. An order that is not named counts.
   */
  readonly over: ReadonlySet<string>;
  /** Of the claims that are not of the last minutes, those whose webhook is not delivered yet, by their ids. */
  readonly undelivered: ReadonlySet<string>;
  readonly now: Instant;
}

/**
 * How many pieces of an item the player may still have, of `maxPurchasable` by the catalog: less those bought or
 * claimed that are not counted there yet (rules/webshop 5).
 */
export function countLeft(
  { charges, claims }: Shop,
  itemId: string,
  maxPurchasable: number,
  { over, undelivered, now }: CountedAt,
): number {
  const charged = charges
    .filter(({ orderId }) => !over.has(orderId))
    .flatMap(({ items }) => items)
    .filter((item) => item.itemId === itemId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const claimed = (claims.get(itemId)?.lately ?? []).filter(
    ({ claimId, claimedAt }) => isRecent(claimedAt, now) || undelivered.has(claimId),
  ).length;
  return Math.max(0, maxPurchasable - charged - claimed);
}

/** How often a free item may still be claimed: once ever, where the catalog names no number. */
export function countClaimsLeft(
  shop: Shop,
  itemId: string,
  maxPurchasable: number | null,
  counted: CountedAt,
): number {
  if (maxPurchasable !== null) return countLeft(shop, itemId, maxPurchasable, counted);
  return shop.claims.has(itemId) ? 0 : 1;
}
