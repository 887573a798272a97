import { isGreater, type Money, subtract, zero } from '../money/index.js';
import { costs, type PricedTime } from './proration.js';

/**
 * The fate of paid time that a change at once does not use up (rules/lifecycle 11): it is lost, its price is given
 * back, or the change is refused.
 */
export const UNUSED_CREDIT_POLICIES = ['forfeit', 'refund', 'refuse'] as const;
export type UnusedCreditPolicy = (typeof UNUSED_CREDIT_POLICIES)[number];

/** Unused time of the former plan at its price, where a change does not use up all of it (rules/lifecycle 11). */
export interface UnusedCredit {
  readonly unused: Money;
  /** The part that pays for the new plan. */
  readonly used: Money;
  /** The part that is lost. */
  readonly forfeited: Money;
  /** The part that is given back; tax that was added to the price comes on top (rules/payments 20). */
  readonly refunded: Money;
}

/** The fate of the unused time that a change does not pay for; null where all of it is used. */
export function settleCredit(
  charged: PricedTime,
  credited: PricedTime,
  policy: UnusedCreditPolicy,
): UnusedCredit | null {
  const used = costs(charged);
  const unused = costs(credited);
  if (!isGreater(unused, used)) return null;
  const rest = subtract(unused, used);
  const nothing = zero(rest.currency);
  return policy === 'refund'
    ? { unused, used, forfeited: nothing, refunded: rest }
    : { unused, used, forfeited: rest, refunded: nothing };
}
