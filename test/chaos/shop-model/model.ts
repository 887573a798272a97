import {
  CAMPAIGNS,
  countPoints,
  type Currency,
  ITEMS,
  type ItemId,
  type MilestoneId,
  findMost,
} from './goods.js';
import { ModelCart } from './model-cart.js';
import {
  capture,
  endUnpaid,
  isAttempting,
  isPaid,
  letPass,
  makeOrder,
  type ModelAttempt,
  type ModelLine,
  type ModelOrder,
  spent,
} from './model-order.js';

/** The model of one player of the shop, written apart from the product. */
export class ModelShop {
  /** The app's clock, in hours since the player came. */
  hours = 0;
  /** The price of a piece of an item by the studio's catalog; null for an item that is not there any more. */
  readonly prices = new Map<ItemId, number | null>();
  /** The currency of the player's present place; null for each item's own currency. */
  paysIn: Currency | null = null;
  readonly cart = new ModelCart({
    price: (id) => this.price(id),
    currency: (id) => this.currency(id),
    left: (id) => this.left(id),
  });
  readonly orders: ModelOrder[] = [];
  readonly claimed: { readonly id: ItemId; isRecent: boolean }[] = [];
  readonly milestones: MilestoneId[] = [];
  /** How often a cart was paid that had more in it than its order: a run in which none is tests none of that. */
  leftovers = 0;
  /** How often a charge was captured that bought nothing. */
  returned = 0;
  /** Steps that were taken: impossible ones are left out. */
  steps = 0;

  /** How many of an item the player may have besides those being paid, paid lately and claimed lately. */
  left(id: ItemId): number {
    const bought = this.orders
      .filter(({ source }) => source !== 'ServicePay')
      .filter((order) => isAttempting(order) || (isPaid(order) && order.isRecent))
      .flatMap(({ items }) => items)
      .filter((item) => item.id === id)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const claimed = this.claimed.filter((each) => each.id === id && each.isRecent);
    return findMost(id) - bought - claimed.length;
  }

  price(id: ItemId): number | null {
    const price = this.prices.get(id);
    return price === undefined ? ITEMS[id].minor : price;
  }

  currency(id: ItemId): Currency {
    return this.paysIn ?? ITEMS[id].currency;
  }

  /** Whether a free item can be claimed: once in all, where the catalog names no number. */
  canClaim(id: ItemId): boolean {
    if (findMost(id) < Infinity) return this.left(id) > 0;
    return this.claimed.every((claim) => claim.id !== id);
  }

  /** An order of the shop; a further checkout cancels the earlier order of the cart, as the player could. */
  addOrder(
    { orderId, url, currency }: { orderId: string; url: string; currency: Currency },
    items: readonly ModelLine[],
    cart: number | null,
  ): void {
    const earlier = this.orders.filter((order) => order.cart === cart && order.status === 'OPEN');
    for (const order of cart === null ? [] : earlier) this.cancel(order);
    const source = cart === null ? 'BuyNow' : 'Cart';
    const made = { source, key: orderId, orderId, url, cart, currency, items } as const;
    this.orders.push(makeOrder({ ...made, madeAt: this.hours }));
  }

  addLink(link: Pick<ModelOrder, 'key' | 'url' | 'currency' | 'items'>): void {
    const of = { source: 'ServicePay', orderId: null, cart: null, madeAt: this.hours } as const;
    this.orders.push(makeOrder({ ...link, ...of }));
  }

  cancel(order: ModelOrder): void {
    endUnpaid(order, 'CANCELED', 'canceled_by_player');
  }

  /** A capture closes the cart of its order. */
  capture(order: ModelOrder, captured: ModelAttempt): boolean {
    if (!capture(order, captured)) {
      this.returned += 1;
      return false;
    }
    if (order.cart === this.cart.number && this.cart.close(order.items)) this.leftovers += 1;
    return true;
  }

  wait(hours: number): void {
    this.hours += hours;
    for (const order of this.orders) {
      letPass(order, this.hours);
      if (isPaid(order)) order.isRecent = false;
    }
    for (const each of this.claimed) each.isRecent = false;
  }

  /** Of one of the campaigns. */
  points(campaign: (typeof CAMPAIGNS)[number]): number {
    return this.orders.reduce(
      (sum, order) => sum + countPoints(campaign, spent(order), order.currency),
      0,
    );
  }
}
