import { add, isGreater, isPositive, type Money, subtract } from '../money/index.js';

/** What was paid, and what of it is not the merchant's any more. */
export interface Balance {
  readonly amount: Money;
  /** By refunds and lost disputes together. */
  readonly totalRefunded: Money;
}

/** What is captured and not given back yet. */
export function unreturned({ amount, totalRefunded }: Balance): Money {
  return subtract(amount, totalRefunded);
}

/** How much is given back; refunds and lost disputes together are not counted above what was paid. */
export function sumGivenBack(
  { amount }: Pick<Balance, 'amount'>,
  {
    madeRefunds,
    lostTotal,
  }: { readonly madeRefunds: readonly { readonly amount: Money }[]; readonly lostTotal: Money },
): Money {
  const total = madeRefunds.reduce((sum, made) => plus(sum, made.amount), lostTotal);
  return isGreater(total, amount) ? amount : total;
}

/** Money of another currency adds nothing: decisions let none in, and folding must not fail. */
export function plus(total: Money, amount: Money): Money {
  return amount.currency === total.currency ? add(total, amount) : total;
}

/** What a captured payment is while no dispute is open: the money that is left decides (rules/payments 6). */
export function settledStatus(balance: Balance): 'SUCCEEDED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' {
  if (!isPositive(balance.totalRefunded)) return 'SUCCEEDED';
  return isPositive(unreturned(balance)) ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
}
