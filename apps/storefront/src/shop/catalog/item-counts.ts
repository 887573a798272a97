import { Injectable } from '@nestjs/common';
import { type CatalogOffer, MAX_QUANTITY } from '#domain/cart';
import type { CatalogItem } from '#domain/catalog';
import type { Instant } from '#domain/event';
import { countClaimsLeft, countLeft, type CountedAt, isRecent, type Shop } from '#domain/shop';
import { isPositive } from '#domain/money';
import { DeliveredPurchases } from '../charges/delivered-purchases.js';
import { EndedOrders } from '../charges/ended-orders.js';

/** The number of pieces that a player may still have of items, as of one moment. */
export interface ItemLimits {
  readonly counted: CountedAt;
  /** How many pieces; as many as a cart takes, where the catalog names no number. */
  readonly left: (item: Pick<CatalogItem, 'id' | 'maxPurchasable'>) => number;
  /** Whether a free item can not be claimed any more, since it was. */
  readonly isClaimed: (item: Pick<CatalogItem, 'id' | 'maxPurchasable' | 'price'>) => boolean;
  /** The item as a cart is compared with it. */
  readonly toOffer: (item: CatalogItem) => CatalogOffer;
}

/** Counts the player's latest purchases and claims, of which the catalog may not know yet (rules/webshop 5). */
@Injectable()
export class ItemCounts {
  constructor(
    private readonly ended: EndedOrders,
    private readonly delivered: DeliveredPurchases,
  ) {}

  /** @throws Fault of the store. */
  async count(player: string, shop: Shop, now: Instant): Promise<ItemLimits> {
    if (isUntouched(shop)) return limit(shop, { over: NONE, undelivered: NONE, now });
    const [over, undelivered] = await Promise.all([
      this.ended.find(shop, now),
      this.delivered.withoutClaims(player, listClaims(shop, now)),
    ]);
    return limit(shop, { over, undelivered, now });
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Most players who look at a shop have bought and claimed nothing in it. */
function isUntouched({ charges, claims }: Shop): boolean {
  return charges.length === 0 && claims.size === 0;
}

function limit(shop: Shop, counted: CountedAt): ItemLimits {
  const count = (id: string, most: number) =>
    isUntouched(shop) ? most : countLeft(shop, id, most, counted);
  const left: ItemLimits['left'] = ({ id, maxPurchasable }) =>
    maxPurchasable === null ? MAX_QUANTITY : count(id, maxPurchasable);
  return {
    counted,
    left,
    isClaimed: ({ id, maxPurchasable, price }) =>
      shop.claims.has(id) &&
      !isPositive(price) &&
      countClaimsLeft(shop, id, maxPurchasable, counted) === 0,
    toOffer: (item) => {
      const { id: itemId, name, image, price, expiresAt } = item;
      return { itemId, name, image, price, expiresAt, limit: left(item) };
    },
  };
}

/** The claims that count only where their webhook is not delivered. */
function listClaims({ claims }: Shop, now: Instant): string[] {
  return [...claims.values()]
    .flatMap(({ lately }) => lately)
    .filter(({ claimedAt }) => !isRecent(claimedAt, now))
    .map(({ claimId }) => claimId);
}
