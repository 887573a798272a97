import { CATEGORIES, type SettlementAccount } from './categories.js';
import type { SettlementRow } from './settlement.events.js';

/** One debit and one credit of the same amount. */
export interface SettlementMove {
  readonly debit: SettlementAccount;
  readonly credit: SettlementAccount;
  /** Above zero, in minor units. */
  readonly amountMinor: bigint;
  readonly currency: string;
}

/**
 * The movements that a row posts (rules/finance 33): the ledger's own events have moved charges, refunds and disputes;
 * the row adds fees, payouts, and the change from the player's currency into the account's.
 */
export function classifyRow(row: SettlementRow): readonly SettlementMove[] {
  const { category, grossMinor, feeMinor, currency, charged } = row;
  const { against, fees } = CATEGORIES[category];
  const gross = BigInt(grossMinor);
  const change =
    charged === null
      ? []
      : [
          ...moveClearing(-BigInt(charged.amountMinor), 'exchange_differences', charged.currency),
          ...moveClearing(gross, 'exchange_differences', currency),
        ];
  return [
    ...(against === null ? change : moveClearing(gross, against, currency)),
    ...moveClearing(-BigInt(feeMinor), fees, currency),
  ];
}

/** The gateway's account is debited by money that comes in. */
function moveClearing(
  amount: bigint,
  against: SettlementAccount,
  currency: string,
): SettlementMove[] {
  if (amount === 0n) return [];
  if (amount > 0n) return [{ debit: 'clearing', credit: against, amountMinor: amount, currency }];
  return [{ debit: against, credit: 'clearing', amountMinor: -amount, currency }];
}
