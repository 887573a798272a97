/**
 * The kinds of rows that are taken, by the names of Stripe's reporting categories
 * (https://docs.stripe.com/reports/reporting-categories). The ledger has no account for the others, such as transfers
 * to accounts of others: a row of one is refused.
 */
interface Category {
  /** Against which account its amount moves the gateway's; none where the ledger's own event has posted it. */
  readonly against: SettlementAccount | null;
  readonly fees: SettlementAccount;
}

/** The accounts that rows post to, each against another one (rules/finance 33). */
export type SettlementAccount =
  'clearing' | 'bank' | 'gateway_fees' | 'dispute_fees' | 'exchange_differences';

const BY_LEDGER = { against: null, fees: 'gateway_fees' } as const;
const OF_DISPUTE = { against: null, fees: 'dispute_fees' } as const;
const OF_BANK = { against: 'bank', fees: 'gateway_fees' } as const;
const OF_FEES = { against: 'gateway_fees', fees: 'gateway_fees' } as const;

export const CATEGORIES = {
  ...{ charge: BY_LEDGER, charge_failure: BY_LEDGER, partial_capture_reversal: BY_LEDGER },
  ...{ refund: BY_LEDGER, refund_failure: BY_LEDGER },
  ...{ dispute: OF_DISPUTE, dispute_reversal: OF_DISPUTE },
  ...{ fee: OF_FEES, network_cost: OF_FEES, other_adjustment: OF_FEES },
  ...{ payout: OF_BANK, payout_reversal: OF_BANK, topup: OF_BANK, topup_reversal: OF_BANK },
  // Kept back and given free again, within the gateway.
  risk_reserved_funds: BY_LEDGER,
} as const satisfies Readonly<Record<string, Category>>;

export type SettlementCategory = keyof typeof CATEGORIES;

export function isCategory(name: string): name is SettlementCategory {
  return Object.hasOwn(CATEGORIES, name);
}
