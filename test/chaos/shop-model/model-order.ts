import { type Currency, TAX_PERCENT, toMajor } from './goods.js';

/** A message as the studio is to get it: its type, its number within its subject, and its data. */
export interface ModelMessage {
  readonly type: string;
  readonly sequence: number;
  readonly tells: Readonly<Record<string, unknown>>;
}

/** Pieces of an item at the price of one when they were ordered. */
export interface ModelLine {
  readonly id: string;
  readonly quantity: number;
  readonly minor: number;
}

/** One attempt to pay. */
export interface ModelAttempt {
  /** The page on which the player confirms it; null where its bank asks for nothing. */
  readonly challengeUrl: string | null;
  /** By the app's clock, in hours. */
  readonly at: number;
  state: 'open' | 'failed' | 'captured' | 'returned';
  /** A bank decides once, also a charge that was given up meanwhile. */
  isDecided: boolean;
}

export interface ModelOrder {
  readonly source: 'Cart' | 'BuyNow' | 'ServicePay';
  /** The name of its messages: the order's id in the shop, the studio's own of a payment link. */
  readonly key: string;
  /** Of a payment link not known before it is paid. */
  orderId: string | null;
  readonly url: string;
  /** Which of the player's carts it is of; null for all others. */
  readonly cart: number | null;
  readonly currency: Currency;
  readonly items: readonly ModelLine[];
  /** By the app's clock, in hours. */
  readonly madeAt: number;
  status: 'OPEN' | 'PAID' | 'CANCELED' | 'FAILED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DISPUTED';
  /** Whether the studio has the message that its checkout has begun. */
  isOpened: boolean;
  /** Whether the studio's catalog may not know yet that it was paid. */
  isRecent: boolean;
  readonly attempts: ModelAttempt[];
  /** By refunds and by disputes that were lost. */
  givenMinor: number;
  /** Those that are open, the oldest first. */
  readonly disputes: { readonly id: string; readonly minor: number }[];
  readonly sent: ModelMessage[];
}

/** An order, or an attempt of one, is over after so many hours (rules/orders 5). */
const LASTS_HOURS = 24;

type Made = Pick<ModelOrder, 'source' | 'key' | 'orderId' | 'url' | 'cart' | 'items' | 'madeAt'> &
  Pick<ModelOrder, 'currency'>;

export function makeOrder(made: Made): ModelOrder {
  const order: ModelOrder = {
    ...{ ...made, status: 'OPEN', isOpened: false, isRecent: true },
    ...{ attempts: [], givenMinor: 0, disputes: [], sent: [] },
  };
  if (made.source !== 'ServicePay') open(order);
  return order;
}

/** The checkout begins, of which the studio learns once. */
export function open(order: ModelOrder): void {
  if (order.isOpened || order.status !== 'OPEN') return;
  order.isOpened = true;
  const { source, items } = order;
  note(order, 'CREATE_PAYMENT_INTENT', { source, items: items.map(showLine) });
}

export function attempt(
  order: ModelOrder,
  { at, challengeUrl = null }: { at: number; challengeUrl?: string | null },
): ModelAttempt {
  open(order);
  const begun: ModelAttempt = { at, challengeUrl, state: 'open', isDecided: false };
  order.attempts.push(begun);
  return begun;
}

/** The attempt that counts, where it has no outcome. */
export function isAttempting({ status, attempts }: ModelOrder): boolean {
  return status === 'OPEN' && attempts.at(-1)?.state === 'open';
}

export function isPaid({ status }: ModelOrder): boolean {
  return !['OPEN', 'CANCELED', 'FAILED'].includes(status);
}

export function fail(order: ModelOrder, failed: ModelAttempt, reason: string): void {
  failed.state = 'failed';
  notePayment(order, 'payment.failed', { reason, total: showTotal(order) });
  if (order.status === 'OPEN') endUnpaid(order, 'OPEN', reason);
}

/** @returns whether it pays the order: a late capture goes back by itself. */
export function capture(order: ModelOrder, captured: ModelAttempt): boolean {
  const isLast = order.attempts.at(-1) === captured;
  const pays = order.status === 'OPEN' && isLast && captured.state === 'open';
  captured.state = pays ? 'captured' : 'returned';
  const [tax, sum] = [showMinor(order, findTax(order)), showTotal(order)];
  notePayment(order, 'payment.succeeded', { tax, total: sum });
  if (!pays) {
    notePayment(order, 'payment.refunded', { total_refunded: sum });
    return false;
  }
  order.status = 'PAID';
  note(order, 'PURCHASE_SUCCEEDED', { tax, total: sum, currency: order.currency });
  return true;
}

/** A free item is claimed, piece by piece. */
export function claimOrder(order: ModelOrder): void {
  open(order);
  order.status = 'PAID';
  for (const { id, quantity } of order.items) {
    for (let piece = 0; piece < quantity; piece += 1) {
      note(order, 'FREE_ITEM_REDEEMED', { itemId: id });
    }
  }
}

export function endUnpaid(
  order: ModelOrder,
  status: 'OPEN' | 'CANCELED' | 'FAILED',
  reason: string,
): void {
  order.status = status;
  note(order, 'PURCHASE_FAILED', { reason, total: showTotal(order) });
}

/** The steps by themselves up to an hour: charges are given up, and the order runs out. */
export function letPass(order: ModelOrder, to: number): void {
  for (;;) {
    const isExpiring = order.status === 'OPEN' && !isAttempting(order);
    const waiting = order.attempts.find(({ state }) => state === 'open');
    const expiresAt = isExpiring ? order.madeAt + LASTS_HOURS : Infinity;
    const endsAt = waiting === undefined ? Infinity : waiting.at + LASTS_HOURS;
    if (Math.min(expiresAt, endsAt) > to) return;
    // Of an order, all attempts come after it.
    if (waiting === undefined || expiresAt <= endsAt) endUnpaid(order, 'FAILED', 'expired');
    else fail(order, waiting, 'issuer_unavailable');
  }
}

export function refund(order: ModelOrder, minor: number): void {
  give(order, minor);
  notePayment(order, 'payment.refunded', { total_refunded: showMinor(order, order.givenMinor) });
  noteGiven(order, minor);
}

export function openDispute(order: ModelOrder, id: string, minor: number): void {
  order.disputes.push({ id, minor });
  give(order, 0);
  notePayment(order, 'dispute.opened', { total_disputed: showMinor(order, disputed(order)) });
}

/** Closes the one that was opened first. */
export function closeDispute(order: ModelOrder, won: boolean): void {
  const total = showMinor(order, disputed(order));
  const { minor = 0 } = order.disputes.shift() ?? {};
  give(order, won ? 0 : minor);
  notePayment(order, 'dispute.closed', { total_disputed: total, won });
  if (!won) noteGiven(order, minor);
}

/** The amount that can still go back. */
export function remaining(order: ModelOrder): number {
  return total(order) - order.givenMinor - disputed(order);
}

export function total(order: Pick<ModelOrder, 'items'>): number {
  return subtotal(order) + findTax(order);
}

/** The amount that points are counted of. */
export function spent(order: ModelOrder): number {
  return isPaid(order) ? Math.max(0, subtotal(order) - order.givenMinor) : 0;
}

export const showLine = ({ id, quantity }: ModelLine) => [id, quantity];

export const showTotal = (order: ModelOrder) => showMinor(order, total(order));

const showMinor = ({ currency }: ModelOrder, minor: number) => toMajor(minor, currency);

const disputed = ({ disputes }: ModelOrder) => disputes.reduce((sum, { minor }) => sum + minor, 0);

function give(order: ModelOrder, minor: number): void {
  order.givenMinor += minor;
  if (order.disputes.length > 0) order.status = 'DISPUTED';
  else if (order.givenMinor === 0) order.status = 'PAID';
  else order.status = order.givenMinor === total(order) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

function noteGiven(order: ModelOrder, minor: number): void {
  note(order, 'PURCHASE_REFUNDED', {
    refundedAmount: showMinor(order, minor),
    totalRefunded: showMinor(order, order.givenMinor),
    isFullRefund: order.givenMinor === total(order),
  });
}

function subtotal({ items }: Pick<ModelOrder, 'items'>): number {
  return items.reduce((sum, { quantity, minor }) => sum + minor * quantity, 0);
}

function findTax(order: Pick<ModelOrder, 'items'>): number {
  return Math.round((subtotal(order) * TAX_PERCENT) / 100);
}

/** Of payments and disputes, messages tell for payment links alone. */
function notePayment(order: ModelOrder, type: string, tells: ModelMessage['tells']): void {
  if (order.source === 'ServicePay') note(order, type, tells);
}

function note(order: ModelOrder, type: string, tells: ModelMessage['tells']): void {
  order.sent.push({ type, sequence: order.sent.length + 1, tells });
}
