/** Samples of the operations on an app's books. */

export const ROW = 'txn_1';
export const PAYOUT = 'po_1';

type Queries = Readonly<Record<string, readonly (readonly [string, string])[]>>;

export function listFinanceQueries(at: Date, paymentId: string): Queries {
  const day = at.toISOString().slice(0, 10);
  return {
    finance_importStripe: [['zone', 'Europe/Berlin']],
    finance_report: [
      ['period', day.slice(0, 7)],
      ['asOf', 'now'],
      ['effectiveUntil', day],
      ['format', 'csv'],
      ['accounts', 'account,number,hledger,ledger,beancount\nassets:bank,1200,,,\n'],
    ],
    finance_explain: [
      ['what', paymentId],
      ['asOf', 'now'],
    ],
  };
}

/** A report of the gateway with the row and the payout that requests name. */
export const IMPORTED =
  'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,automatic_payout_id\n' +
  `${ROW},2026-01-31 10:00:00,usd,-1.00,0.00,-1.00,other_adjustment,${PAYOUT}\n`;

/** Bodies with every field set. @param unique is different for every draft. */
export function buildFinanceBodies(unique: string): Readonly<Record<string, unknown>> {
  return {
    finance_setPolicy: {
      ...{ from: '2026-01-01', zone: 'Europe/Berlin', approval: true, reason: 'a test' },
      itemClasses: [
        { name: 'swords', match: { prefix: 'sword-' }, lifeDays: 761 },
        { name: 'gems', match: { metadata: { key: 'kind', value: 'gem' } }, lifeDays: null },
      ],
    },
    finance_accept: { reason: 'a test' },
    finance_close: { reason: 'a test' },
    finance_approve: { reason: 'a test' },
    finance_importStripe: Buffer.from(
      'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category\n' +
        `txn_${unique},2026-01-31 10:00:00,usd,-1.00,0.00,-1.00,other_adjustment\n`,
    ),
  };
}
