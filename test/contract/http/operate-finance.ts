import type { Answer, ApiClient, CallOptions } from '../../support/api-client.js';
import { requireOk } from '../../support/scenario.js';
import { SECRET_KEY, startStripeStandIn } from '../gateway/stripe-stand-in/stand-in.js';

type Call = (
  client: ApiClient,
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Answer>;

/** The callers of an app, and where something may answer in Stripe's place. */
interface Scene {
  readonly operator: ApiClient;
  readonly allApps: ApiClient;
  readonly app: string;
  readonly stripePort: number;
}

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

/** Each call of an app's finance, held to the document. */
export async function operateFinance(
  { ok, call }: { readonly ok: Call; readonly call: Call },
  { operator, allApps, app, stripePort }: Scene,
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
  await importPayout(ok, allApps, stripePort);
}

/** A payout of nothing, in an app that is set to Stripe. */
async function importPayout(ok: Call, allApps: ApiClient, stripePort: number): Promise<void> {
  const standIn = await startStripeStandIn(Date.now, stripePort);
  try {
    const made = await allApps.post('/manage/apps', { name: 'Stripe', environment: 'test' });
    const app = `/manage/apps/${String(requireOk(made).body['appId'])}`;
    const webhookSecret = `whsec_${'4712'.repeat(5)}`;
    const gateway = { kind: 'stripe', secretKey: SECRET_KEY, webhookSecret };
    requireOk(await allApps.send('PATCH', app, { body: { gateway } }));
    standIn.payOut(PAYOUT);
    await ok(allApps, 'POST', `${app}/finance/import/stripe/${PAYOUT}`, { body: {} });
  } finally {
    await standIn.stop();
  }
}
