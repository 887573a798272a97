import type { Answer, ApiClient, CallOptions } from '../../support/api-client.js';

type Call = (
  client: ApiClient,
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Answer>;

/** Something has to answer in Stripe's place: `stripe.e2e` holds this call to the document. */
export const OF_STRIPE = 'finance_importPayout';

const PAYOUT = 'po_of_the_contract';
const ROWS = [
  'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,automatic_payout_id',
  `txn_fee,2026-01-31 10:00:00,usd,-1.00,0.00,-1.00,other_adjustment,${PAYOUT}`,
  '',
].join('\n');
const POLICY = {
  ...{ from: '2026-01-01', zone: 'Europe/Berlin', reason: 'The books are in Berlin.' },
  itemClasses: [{ name: 'swords', match: { prefix: 'sword-' }, lifeDays: 761 }],
  approval: true,
};

/** Each other call of an app's finance, held to the document. @param app its path. */
export async function operateFinance(
  { ok, call }: { readonly ok: Call; readonly call: Call },
  operator: ApiClient,
  app: string,
): Promise<void> {
  const path = `${app}/finance`;
  const headers = { 'content-type': 'text/csv' };
  await ok(operator, 'PUT', `${path}/policy`, { body: POLICY });
  await ok(operator, 'GET', `${path}/policy`);
  await ok(operator, 'POST', `${path}/import/stripe`, { body: ROWS, headers });
  await ok(operator, 'GET', `${path}/reconcile/${PAYOUT}`);
  await ok(operator, 'POST', `${path}/accept/txn_fee`, { body: { reason: 'A fee.' } });
  const period = new Date().toISOString().slice(0, 7);
  await ok(operator, 'GET', `${path}/trial-balance?period=${period}&asOf=now`);
  await call(operator, 'GET', `${path}/tax?period=9999-01`);
  await call(operator, 'POST', `${path}/import/stripe/${PAYOUT}`, { body: {} });
}
