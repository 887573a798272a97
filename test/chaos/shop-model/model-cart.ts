import { type Currency, type ItemId, TAX_PERCENT, toMajor } from './goods.js';
import type { ModelLine, ModelMessage } from './model-order.js';

export type Problem = 'QUANTITY' | 'PRICE_CHANGED' | 'GONE';

/** The item as a checkout that was refused has shown it. */
interface Shown {
  readonly problem: Problem;
  readonly quantity: number;
  readonly minor: number;
}

interface CartItem {
  readonly id: ItemId;
  readonly quantity: number;
  /** The price of a piece when it was put there. */
  readonly minor: number;
  /** In which currency that was. */
  readonly currency: Currency;
  readonly shown: Shown | null;
}

/** An item of the cart as it can be bought now. */
export interface CartLine extends CartItem {
  readonly problems: readonly Problem[];
  /** As many as can be bought; of an item that is gone, as many as were wanted. */
  readonly now: { readonly quantity: number; readonly minor: number };
}

/**
 * The present price of a piece, and how many the player may have; a price of null is that of an item that is not for
 * sale.
 */
export interface Market {
  readonly price: (id: ItemId) => number | null;
  readonly currency: (id: ItemId) => Currency;
  readonly left: (id: ItemId) => number;
}

/** The open cart of the player (rules/webshop 4). */
export class ModelCart {
  #items: readonly CartItem[] = [];
  /** How many carts were closed before it. */
  number = 0;
  /** The messages of each cart. */
  readonly sent: ModelMessage[][] = [];

  constructor(private readonly market: Market) {}

  /** How many pieces of an item lie there, or of all. */
  count(id?: ItemId): number {
    return this.#items
      .filter((item) => id === undefined || item.id === id)
      .reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /** Whether an item cannot be beside the others. */
  isOtherCurrency(id: ItemId): boolean {
    return this.#items.some((item) => item.id !== id && item.currency !== this.market.currency(id));
  }

  set(id: ItemId, quantity: number): void {
    const [minor, currency] = [this.market.price(id) ?? 0, this.market.currency(id)];
    const item = { id, quantity, minor, currency, shown: null };
    const isThere = this.count(id) > 0;
    if (quantity === 0) this.#items = this.#items.filter((each) => each.id !== id);
    else if (isThere) this.#items = this.#items.map((each) => (each.id === id ? item : each));
    else this.#items = [...this.#items, item];
    const sent = (this.sent[this.number] ??= []);
    const items = this.#items.map((each) => [each.id, each.quantity]);
    sent.push({ type: 'MUTATE_CART', sequence: sent.length + 1, tells: { items } });
  }

  /** Of the items there; undefined where there are none. */
  get currency(): Currency | undefined {
    return this.#items[0]?.currency;
  }

  /** @returns the bought items; or the changes, which the player has seen by that. */
  checkOut(): { readonly lines: readonly ModelLine[] } | { readonly changed: readonly ItemId[] } {
    const lines = this.lines();
    const bought = lines.filter(isPayable).map(({ id, now }) => ({ id, ...now }));
    if (bought.length > 0 && lines.every(isAgreed)) return { lines: bought };
    this.#items = this.#items.map((item, at) => ({ ...item, shown: show(lines[at]) }));
    return { changed: lines.filter(({ problems }) => problems.length > 0).map(({ id }) => id) };
  }

  /** It is paid: items that came there since the checkout are in the next one. @returns whether there was any. */
  close(bought: readonly ModelLine[]): boolean {
    this.#items = this.#items.flatMap((item) => {
      const { quantity = 0 } = bought.find(({ id }) => id === item.id) ?? {};
      const left = (item.shown?.quantity ?? item.quantity) - quantity;
      return left > 0 ? [{ ...item, quantity: left, shown: null }] : [];
    });
    this.number += 1;
    return this.#items.length > 0;
  }

  lines(): CartLine[] {
    return this.#items.map((item) => {
      const price = this.market.price(item.id);
      const isOther = this.market.currency(item.id) !== item.currency;
      // An item that is free by now is claimed and not bought.
      if (price === null || price === 0 || isOther)
        return { ...item, problems: ['GONE'], now: item };
      const quantity = Math.min(item.quantity, Math.max(0, this.market.left(item.id)));
      const problems: Problem[] = [
        ...(quantity < item.quantity ? (['QUANTITY'] as const) : []),
        ...(price === item.minor ? [] : (['PRICE_CHANGED'] as const)),
      ];
      return { ...item, problems, now: { quantity, minor: price } };
    });
  }

  /** As its page has it. */
  show() {
    const lines = this.lines();
    const [first] = lines;
    const currency: Currency | '' = first?.currency ?? '';
    const subtotal = lines
      .filter(isPayable)
      .reduce((sum, { now }) => sum + now.minor * now.quantity, 0);
    const total = subtotal + Math.round((subtotal * TAX_PERCENT) / 100);
    return {
      items: lines.map(({ id, problems, now, currency: own }) => ({
        ...{ id, quantity: now.quantity, problem: problems[0] ?? null },
        price: toMajor(now.minor, own),
      })),
      ...{ currency, total: currency === '' ? '0.00' : toMajor(total, currency) },
    };
  }
}

function isPayable({ problems, now }: CartLine): boolean {
  return !problems.includes('GONE') && now.quantity > 0;
}

/** As it was put there, or as it was shown since. */
function isAgreed(line: CartLine): boolean {
  const { shown, problems } = line;
  if (shown === null || problems.length === 0) return problems.length === 0;
  const { problem, quantity, minor } = show(line) ?? {};
  return problem === shown.problem && quantity === shown.quantity && minor === shown.minor;
}

/** Of two problems the last one is kept. */
function show(line: CartLine | undefined): Shown | null {
  const problem = line?.problems.at(-1);
  if (line === undefined || problem === undefined) return null;
  const { now } = line;
  return { problem, minor: now.minor, quantity: isPayable(line) ? now.quantity : 0 };
}
