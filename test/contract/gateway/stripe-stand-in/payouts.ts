import type { Intent } from './intents.js';
import type { Refund } from './refunds.js';

/** A row of the account, with its source as `expand` gives it. */
export interface Transaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly payout: string;
  readonly created: number;
  readonly available_on: number;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly reporting_category: string;
  readonly source: object | null;
}

export interface Payout {
  readonly id: string;
  readonly object: 'payout';
  readonly created: number;
  readonly arrival_date: number;
  readonly amount: number;
  readonly currency: string;
  readonly balance_transaction: Transaction;
}

interface Account {
  readonly intents: ReadonlyMap<string, Intent>;
  readonly refunds: ReadonlyMap<string, Refund>;
  readonly payouts: Map<string, Payout>;
  readonly transactions: Map<string, Transaction>;
  readonly nowMs: () => number;
}

const FEE = 59;
const DAY_SECONDS = 86_400;

/** Pays out all that was captured, less refunds and fees; the list lacks the payout's own transaction. */
export function payOut(account: Account, id: string): void {
  const { intents, refunds, payouts, transactions, nowMs } = account;
  const created = Math.floor(nowMs() / 1000);
  const add = (of: Pick<Transaction, 'amount' | 'currency' | 'fee' | 'source'>, kind: string) => {
    const rest = { created, available_on: created + DAY_SECONDS, reporting_category: kind };
    const net = of.amount - of.fee;
    const number = transactions.size + 1;
    const made: Transaction = {
      ...{ id: `txn_${number}`, object: 'balance_transaction', payout: id, ...rest, ...of, net },
    };
    return made;
  };
  const keep = (made: Transaction) => void transactions.set(made.id, made);
  for (const intent of intents.values()) {
    const { latest_charge: charge, amount_received: amount, currency, metadata } = intent;
    if (charge === null) continue;
    const source = {
      ...{ id: charge.id, object: 'charge', amount, currency, payment_intent: intent.id, metadata },
    };
    keep(add({ amount, currency, fee: FEE, source }, 'charge'));
  }
  for (const refund of refunds.values()) {
    const { amount, currency } = refund;
    keep(add({ amount: -amount, currency, fee: 0, source: refund }, 'refund'));
  }
  const sum = [...transactions.values()].reduce((total, { net }) => total + net, 0);
  const currency = [...transactions.values()][0]?.currency ?? 'usd';
  const about = { id, object: 'payout', amount: sum, currency, created } as const;
  const own = add({ amount: -sum, currency, fee: 0, source: about }, 'payout');
  const itself = { ...own, id: `${own.id}_${id}` };
  payouts.set(id, { ...about, arrival_date: created + DAY_SECONDS, balance_transaction: itself });
}
