import { isPositive, type Money } from '../money/index.js';
import { type Payment, quoteCreditRefund, withAddedTax } from '../payment/index.js';
import type { ChangeQuote, QuotedChange } from './change.quote.js';
import type { StartedSubscription } from './subscription.state.js';

/** The quote of a change, with the player's refund. */
export interface ShownChange extends ChangeQuote {
  /** With the tax that was added to it; null where the change gives nothing back. */
  readonly refund: Money | null;
}

/** It, or why it cannot be had. */
export type QuotedWithRefund =
  | { readonly accepted: true; readonly quote: ShownChange }
  | Extract<QuotedChange, { readonly accepted: false }>;

/** The refunded part of a change's unused time, as a plan's price is meant; null where that is nothing. */
export function refundedCredit({ plan }: Pick<ChangeQuote, 'plan'>): Money | null {
  const refunded = plan?.unusedCredit?.refunded;
  return refunded !== undefined && isPositive(refunded) ? refunded : null;
}

/** The payment that gives the unused time back; null for none, and for the one that the change itself is to make. */
export function findPayer(
  quoted: QuotedChange,
  { paidBy }: Pick<StartedSubscription, 'paidBy'>,
): string | null {
  if (!quoted.accepted || quoted.quote.openPeriod !== null) return null;
  return refundedCredit(quoted.quote) === null ? null : paidBy;
}

/**
 * Whether the refund of a change is possible now (rules/payments 20). The subscription's stream does not know how its
 * payments are: the preview, the link, the page and the click ask here.
 *
 * @param payer as `findPayer` names it.
 */
export function quoteRefund(quoted: QuotedChange, payer: Payment): QuotedWithRefund {
  if (!quoted.accepted) return quoted;
  const { quote } = quoted;
  const price = refundedCredit(quote);
  if (price === null) return { accepted: true, quote: { ...quote, refund: null } };
  if (quote.openPeriod !== null) {
    return { accepted: true, quote: { ...quote, refund: withAddedTax(price, quote) } };
  }
  const { amount, isBorne } = quoteCreditRefund(price, payer);
  if (!isBorne) return notRefundable(amount);
  return { accepted: true, quote: { ...quote, refund: amount } };
}

/** The change is refused with the refund that it would have made. */
function notRefundable(amount: Money): Extract<QuotedChange, { readonly accepted: false }> {
  const code = 'subscription/unused_credit_not_refundable';
  return { accepted: false, rejection: { code, amount } };
}
