import type { Instant } from '../event/index.js';
import { isPositive, isSameMoney } from '../money/index.js';
import type { CartProblem, CartTerms, ShownItem } from './cart.events.js';
import type { Cart, CartItem } from './cart.state.js';

/** An item's offer in the present catalog. */
export interface CatalogOffer extends CartTerms {
  readonly expiresAt: Instant | null;
  /** How many the player may still buy; `MAX_QUANTITY` where the catalog names no number. */
  readonly limit: number;
}

/** A line of the cart, as it can be bought now. */
export interface CartLine extends CartTerms {
  /** The wanted number, or as many as there may be; an item that is gone keeps the wanted number. */
  readonly quantity: number;
  /** None where it is as it was put there. */
  readonly problems: readonly CartProblem[];
  /** Whether a checkout takes it. */
  readonly isPayable: boolean;
}

/** A cart beside the catalog of now. */
export interface ReviewedCart {
  readonly lines: readonly CartLine[];
  /** The problems to show, also those that were shown before. */
  readonly problems: readonly ShownItem[];
  /** Whether a checkout may go on: each line is as it was put there, or as it was shown since. */
  readonly isAgreed: boolean;
}

/**
 * Compares a cart with the catalog (rules/webshop 4): prices are the catalog's, and changes are named. The next
 * checkout agrees to the prices that the player was shown.
 */
export function reviewCart(
  { items }: Cart,
  offers: ReadonlyMap<string, CatalogOffer>,
  now: Instant,
): ReviewedCart {
  const currency = items[0]?.price.currency ?? '';
  const lines = items.map((item) => reviewItem(item, offers.get(item.itemId), currency, now));
  const isAgreed = lines.every((line, index) => isAsShown(line, items[index]));
  return { lines, problems: lines.flatMap(describeShown), isAgreed };
}

/**
 * An item whose currency has changed cannot be bought with the others, since a cart holds one; and an item that is free
 * by now is claimed, as often as it may be, and not bought.
 */
function reviewItem(
  item: CartItem,
  offer: CatalogOffer | undefined,
  currency: string,
  now: Instant,
): CartLine {
  const { itemId, name, image, price, quantity } = item;
  const known = { itemId, name, image, price, quantity };
  if (offer === undefined || offer.price.currency !== currency || !isPositive(offer.price)) {
    return { ...known, problems: ['GONE'], isPayable: false };
  }
  if (offer.expiresAt !== null && offer.expiresAt <= now) {
    return { ...known, problems: ['EXPIRED'], isPayable: false };
  }
  const offered = { itemId, name: offer.name, image: offer.image, price: offer.price };
  const left = Math.min(quantity, Math.max(0, offer.limit));
  const problems: CartProblem[] = left < quantity ? ['QUANTITY'] : [];
  if (!isSameMoney(price, offer.price)) problems.push('PRICE_CHANGED');
  return { ...offered, quantity: left, problems, isPayable: left > 0 };
}

function isAsShown(line: CartLine, item: CartItem | undefined): boolean {
  const shown = item?.shown ?? null;
  if (shown === null) return line.problems.length === 0;
  // Of an item with two problems the cart keeps the last that was shown.
  const described = describeShown(line).at(-1);
  // An item that is as it was put there is agreed to, whatever was shown in between.
  if (described === undefined) return true;
  const isSameProblem = described.problem === shown.problem;
  return (
    isSameProblem && described.quantity === shown.quantity && isSameMoney(line.price, shown.price)
  );
}

function describeShown({
  itemId,
  problems,
  price,
  quantity,
  isPayable,
}: CartLine): readonly ShownItem[] {
  return problems.map((problem) => ({
    ...{ itemId, problem, price, quantity: isPayable ? quantity : 0 },
  }));
}
