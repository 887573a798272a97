import { Inject, Injectable } from '@nestjs/common';
import { type CartLine, reviewCart, type ReviewedCart } from '#domain/cart';
import type { Catalog } from '#domain/catalog';
import type { Instant } from '#domain/event';
import { addUp, type Money, times, zero } from '#domain/money';
import { taxedCharge, taxRatesAggregate } from '#domain/pricing';
import { APP_DIRECTORY, CLOCK, CommandContexts, Ledger } from '#nest';
import type { Clock } from '#platform';
import type { AppDirectory } from '#tenancy';
import { ItemCounts, type ItemLimits } from '../catalog/item-counts.js';
import { indexItems } from '../catalog/player-catalogs.js';
import type { Visitor } from '../session/visitor.js';
import type { FoundCart } from './open-carts.js';

/** The amounts of a cart; null where nothing can be bought. */
export interface CartTotals {
  readonly subtotal: Money;
  readonly tax: Money;
  readonly isTaxInclusive: boolean;
  readonly total: Money;
}

/** A cart beside the catalog, with its amounts. */
export interface CartView extends ReviewedCart {
  readonly cartId: string;
  /** Null for an empty cart, which has no currency. */
  readonly totals: CartTotals | null;
}

/** Compares carts with catalogs and adds up the items that can be bought. */
@Injectable()
export class CartViews {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly counts: ItemCounts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Fault of the store. */
  async build(
    { shop, open, cart }: FoundCart,
    catalog: Catalog,
    visitor: Pick<Visitor, 'appId' | 'player' | 'regionCode'>,
  ): Promise<CartView> {
    const now = await this.apps.now(await this.contexts.requireApp(visitor.appId));
    const { toOffer } = await this.counts.count(visitor.player, shop, now);
    // Offers end by the wall clock, as the catalog tells them.
    const reviewed = reviewCart(cart, mapOffers(catalog, toOffer), this.clock.now());
    const totals = await this.addUp(reviewed.lines, visitor, now);
    return { ...reviewed, cartId: open?.cartId ?? '', totals };
  }

  private async addUp(
    lines: readonly CartLine[],
    { appId, regionCode }: Pick<Visitor, 'appId' | 'regionCode'>,
    now: Instant,
  ): Promise<CartTotals | null> {
    const currency = lines[0]?.price.currency;
    if (currency === undefined) return null;
    const payable = lines.filter(({ isPayable }) => isPayable);
    const subtotal = addUp(payable, currency);
    const { state: rates } = await this.ledger.load(taxRatesAggregate, appId);
    const { amount: total, tax } = taxedCharge(subtotal, regionCode, rates, now);
    const taxed = tax?.amount ?? zero(currency);
    return { subtotal, tax: taxed, isTaxInclusive: tax?.inclusive === true, total };
  }
}

/** The price of all pieces of a line. */
export function addUpLine({ price, quantity }: Pick<CartLine, 'price' | 'quantity'>): Money {
  return times(price, quantity);
}

function mapOffers(catalog: Catalog, toOffer: ItemLimits['toOffer']) {
  return new Map([...indexItems(catalog)].map(([id, item]) => [id, toOffer(item)]));
}
