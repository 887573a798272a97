import { expect } from 'vitest';
import { type Answer, type ApiClient, bearer, type CallOptions } from '../../support/api-client.js';
import { refusal } from '../../support/errors.js';
import type { Ledger } from '../../support/fixture.js';

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
  'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,automatic_payout_id,source_id',
  `txn_fee,2026-01-31 10:00:00,usd,1.00,0.00,1.00,other_adjustment,${PAYOUT},`,
  `txn_payout,2026-01-31 10:00:00,usd,-1.00,0.00,-1.00,payout,,${PAYOUT}`,
  '',
].join('\n');
const POLICY = {
  ...{ from: '2026-01-01', zone: 'Europe/Berlin', reason: 'The books are in Berlin.' },
  itemClasses: [{ name: 'swords', match: { prefix: 'sword-' }, lifeDays: 761 }],
  approval: true,
};

interface Calls {
  readonly ok: Call;
  readonly call: Call;
}

/** Each other call of an app's finance, held to the document. @param app its path. */
export async function operateFinance(
  { ok, call }: Calls,
  { operator, standalone }: Pick<Ledger, 'operator' | 'standalone'>,
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
  const issued = await ok(operator, 'POST', `${app}/operator-tokens`, {
    body: { roles: ['finance'] },
  });
  const second = bearer(standalone.baseUrl, String(issued.body['token']));
  await closeJanuary({ ok, call }, operator, { path, second });
}

/** Two people close a month, and look at it. */
async function closeJanuary(
  { ok, call }: Calls,
  operator: ApiClient,
  { path, second }: { readonly path: string; readonly second: ApiClient },
): Promise<void> {
  const body = { reason: 'The month is over.' };
  const wish = { body, headers: { 'idempotency-key': 'january' } };
  const requested = await ok(operator, 'POST', `${path}/close/2026-01`, wish);
  const refused = await call(operator, 'POST', `${path}/approve/2026-01`, { body });
  expect(refusal(refused)).toEqual([400, 9, 'SECOND_PERSON_NEEDED']);
  const approved = await ok(second, 'POST', `${path}/approve/2026-01`, { body });
  expect([requested.body['isClosed'], approved.body['isClosed']]).toEqual([false, true]);
  const again = await ok(operator, 'POST', `${path}/close/2026-01`, wish);
  expect(again.body).toEqual(requested.body);
  const closed = await call(operator, 'POST', `${path}/close/2026-01`, { body });
  expect(refusal(closed)).toEqual([400, 9, 'PERIOD_CLOSED']);
  await ok(operator, 'GET', `${path}/verify`);
  await ok(operator, 'GET', `${path}/verify/2026-01`);
  await ok(operator, 'GET', `${path}/restate/2026-01`);
  await call(operator, 'GET', `${path}/restate/2026-02`);
  const what = encodeURIComponent('expenses:gateway-fees 2026-01');
  await ok(operator, 'GET', `${path}/explain?what=${what}`);
}
