import { add, isGreater, isPositive, type Money, subtract } from '../money/index.js';

/** The amounts paid and given back. */
export interface Balance {
  readonly amount: Money;
  /** By refunds and lost disputes together. */
  readonly totalRefunded: Money;
}

/** The captured amount that is not given back yet. */
export function unreturned({ amount, totalRefunded }: Balance): Money {
  return subtract(amount, totalRefunded);
}

/** How much is given back; refunds and lost disputes together do not exceed the payment. */
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

/** The status of a captured payment while no dispute is open: the money that is left decides (rules/payments 6). */
export function settledStatus(balance: Balance): 'SUCCEEDED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' {
  if (!isPositive(balance.totalRefunded)) return 'SUCCEEDED';
  return isPositive(unreturned(balance)) ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
}
