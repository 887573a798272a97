import {
  classifyRow,
  type SettlementAccount,
  type SettlementEvent,
} from '../../settlement/index.js';
import { ACCOUNTS } from '../accounts.js';
import type { Recorded } from './books.js';
import { credit, debit, type EventLegs } from './legs.js';

type RowImported = Extract<SettlementEvent, { readonly type: 'settlement.row_imported.v1' }>;

const BY_NAME: Readonly<Record<SettlementAccount, string>> = {
  clearing: ACCOUNTS.gatewayClearing,
  bank: ACCOUNTS.bank,
  gateway_fees: ACCOUNTS.gatewayFees,
  dispute_fees: ACCOUNTS.disputeFees,
  exchange_differences: ACCOUNTS.exchangeDifferences,
};

/** A row of a gateway's account (rules/finance 33): it may be of no payment, and its movements of two currencies. */
export function settled({ data }: Recorded<RowImported>): readonly EventLegs[] {
  const gatewayRef = data.transactionId;
  const of = { payment: data.paymentId, subscription: '', order: '', country: '' };
  return classifyRow(data).map((move) => ({
    about: { ...of, currency: move.currency },
    legs: [
      debit(BY_NAME[move.debit], move.amountMinor, { gatewayRef }),
      credit(BY_NAME[move.credit], move.amountMinor, { gatewayRef }),
    ],
  }));
}
