import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { advanceTo, buy, createPlan, requireOk } from '../support/scenario.js';

const HOUR_MS = 3_600_000;
const ledger = useLedger();

/** The codes of listed plans, as a backend reads them after a write. */
async function listPlans(query = ''): Promise<unknown[]> {
  const { body } = requireOk(await ledger.backend.get(`/sdk/plans${query}`));
  return (body['plans'] as { code: string }[]).map(({ code }) => code).sort();
}

describe('the plans that are for sale', () => {
  const soon = new Date(Date.now() + HOUR_MS).toISOString();
  const later = new Date(Date.now() + 2 * HOUR_MS).toISOString();

  beforeAll(async () => {
    const { operator, appId } = ledger;
    await createPlan(operator, appId, { code: 'ends', availableUntil: soon });
    await createPlan(operator, appId, { code: 'begins', availableFrom: soon });
  });

  it('are those whose time it is, also where the list is read again', async () => {
    await eventually(async () => (await listPlans('?status=active')).length === 3);
    expect([await listPlans(), await listPlans()]).toEqual(Array(2).fill(['ends', 'gold']));
    await advanceTo(ledger.operator, ledger.appId, later);
    await eventually(async () => (await listPlans()).includes('begins'));
    expect([await listPlans(), await listPlans()]).toEqual(Array(2).fill(['begins', 'gold']));
    expect(await listPlans('?status=active')).toEqual(['begins', 'ends', 'gold']);
  });
});

describe('a payment', () => {
  it('has the revision of its stream, and is in the list of its subscription', async () => {
    const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player: 'p' });
    const headers = { 'x-consistency-token': token };
    const path = `/sdk/subscriptions/${subscriptionId}/payments`;
    const listed = requireOk(await ledger.backend.get(path, { headers })).body['payments'];
    const [payment] = listed as { paymentId: string }[];
    const read = requireOk(await ledger.backend.get(`/sdk/server/payments/${payment?.paymentId}`));
    const { lines, ...listedFields } = read.body;
    expect(listedFields).toEqual(payment);
    expect(lines).toMatchObject([{ kind: 'recurring', amountCents: '999' }]);
    // It was asked for and captured.
    expect(read.headers.get('etag')).toBe('"1"');
  });
});
