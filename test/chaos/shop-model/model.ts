/** What the model knows of a player's shop, written apart from the product: amounts are cents of USD. */

export interface ModelItem {
  readonly cents: number;
  /** What the studio says that the player may still have. */
  readonly most?: number;
}

export const ITEMS = {
  sword: { cents: 499 },
  potion: { cents: 35 },
  gems: { cents: 1_000, most: 3 },
  chest: { cents: 0, most: 2 },
} as const satisfies Record<string, ModelItem>;
export type ItemId = keyof typeof ITEMS;

/** Added to every price: with these prices no tax lies between two cents. */
export const TAX_PERCENT = 20;
export const POINTS_PER_DOLLAR = 10;
export const MILESTONES = { small: 40, large: 300 } as const;
export type MilestoneId = keyof typeof MILESTONES;

export type Quantities = Partial<Record<ItemId, number>>;

/** A message as the studio is to get it: its type, its number within its subject, and what it is about. */
export interface ModelMessage {
  readonly type: string;
  readonly sequence: number;
  readonly tells: Readonly<Record<string, unknown>>;
}

export interface ModelOrder {
  readonly orderId: string;
  readonly url: string;
  /** Which of the player's carts it is of; null for one item that was bought from its page. */
  readonly cart: number | null;
  readonly items: Quantities;
  status: 'OPEN' | 'PAID' | 'CANCELED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  refundedCents: number;
  /** One decline of each is enough: after it, the next attempt has to wait. */
  wasDeclined: boolean;
  readonly sent: ModelMessage[];
}

/** One player of the shop. */
export class ModelShop {
  cart: Quantities = {};
  /** How many carts were closed before it. */
  cartNumber = 0;
  /** What was sent of each cart. */
  readonly cartsSent: ModelMessage[][] = [];
  readonly orders: ModelOrder[] = [];
  readonly claimed: ItemId[] = [];
  readonly milestones: MilestoneId[] = [];
  /** How often a cart was paid that had more in it than its order: a run in which none is tests none of that. */
  leftovers = 0;
  /** Steps that were taken: what could not happen as things stood is left out. */
  steps = 0;

  /** How many of an item the player may have besides what was paid for and claimed: all of it is of just now. */
  left(id: ItemId): number {
    const { most = Infinity }: ModelItem = ITEMS[id];
    const bought = this.orders
      .filter(({ status }) => status !== 'OPEN' && status !== 'CANCELED')
      .reduce((sum, { items }) => sum + (items[id] ?? 0), 0);
    return most - bought - this.claimed.filter((each) => each === id).length;
  }

  /** Whether there is more in these than the player may have. */
  exceeds(items: Quantities): boolean {
    return listItems(items).some(([id, quantity]) => quantity > this.left(id));
  }

  setCart(id: ItemId, quantity: number): void {
    const { [id]: _former, ...others } = this.cart;
    const isThere = id in this.cart;
    if (quantity === 0) this.cart = others;
    else this.cart = isThere ? { ...this.cart, [id]: quantity } : { ...others, [id]: quantity };
    const sent = (this.cartsSent[this.cartNumber] ??= []);
    const items = listItems(this.cart).map(([itemId, pieces]) => [itemId, pieces]);
    sent.push({ type: 'MUTATE_CART', sequence: sent.length + 1, tells: { items } });
  }

  addOrder(orderId: string, url: string, items: Quantities, cart: number | null): void {
    // A further checkout cancels the earlier order of the cart, as the player could.
    const earlier = this.orders.filter((order) => order.cart === cart && order.status === 'OPEN');
    for (const order of cart === null ? [] : earlier) this.cancel(order);
    const order: ModelOrder = {
      ...{ orderId, url, items, cart, status: 'OPEN', refundedCents: 0, wasDeclined: false },
      sent: [],
    };
    this.orders.push(order);
    const source = cart === null ? 'BuyNow' : 'Cart';
    note(order, 'CREATE_PAYMENT_INTENT', { source, items: listItems(items) });
  }

  cancel(order: ModelOrder): void {
    order.status = 'CANCELED';
    note(order, 'PURCHASE_FAILED', { reason: 'canceled_by_player', total: dollars(total(order)) });
  }

  decline(order: ModelOrder, reason: string): void {
    order.wasDeclined = true;
    note(order, 'PURCHASE_FAILED', { reason, total: dollars(total(order)) });
  }

  pay(order: ModelOrder): void {
    order.status = 'PAID';
    const tax = dollars(findTax(order));
    note(order, 'PURCHASE_SUCCEEDED', { tax, total: dollars(total(order)) });
    if (order.cart !== this.cartNumber) return;
    // What came into the cart since its checkout is in the next one.
    const left = listItems(this.cart).map(
      ([id, quantity]) => [id, quantity - (order.items[id] ?? 0)] as const,
    );
    this.cart = Object.fromEntries(left.filter(([, quantity]) => quantity > 0));
    if (Object.keys(this.cart).length > 0) this.leftovers += 1;
    this.cartNumber += 1;
  }

  refund(order: ModelOrder, cents: number): void {
    order.refundedCents += cents;
    const isFullRefund = order.refundedCents === total(order);
    order.status = isFullRefund ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    const totalRefunded = dollars(order.refundedCents);
    const tells = { refundedAmount: dollars(cents), totalRefunded, isFullRefund };
    note(order, 'PURCHASE_REFUNDED', tells);
  }

  get points(): number {
    return this.orders.reduce((sum, order) => sum + countPoints(order), 0);
  }
}

export function listItems(items: Quantities): [ItemId, number][] {
  // The keys are those of the type.
  return Object.entries(items) as [ItemId, number][];
}

function subtotal({ items }: Pick<ModelOrder, 'items'>): number {
  return listItems(items).reduce((sum, [id, quantity]) => sum + ITEMS[id].cents * quantity, 0);
}

export function total(order: Pick<ModelOrder, 'items'>): number {
  return subtotal(order) + findTax(order);
}

export const dollars = (cents: number) => (cents / 100).toFixed(2);

function findTax(order: Pick<ModelOrder, 'items'>): number {
  return Math.round((subtotal(order) * TAX_PERCENT) / 100);
}

function countPoints(order: ModelOrder): number {
  if (order.status === 'OPEN' || order.status === 'CANCELED') return 0;
  const countedCents = Math.max(0, subtotal(order) - order.refundedCents);
  return Math.floor((countedCents * POINTS_PER_DOLLAR) / 100);
}

function note(order: ModelOrder, type: string, tells: ModelMessage['tells']): void {
  order.sent.push({ type, sequence: order.sent.length + 1, tells });
}
