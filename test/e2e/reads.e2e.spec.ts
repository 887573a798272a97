import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { advanceTo, buy, createPlan, paymentLink, requireOk, seeing } from '../support/scenario.js';

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
    const path = `/sdk/subscriptions/${subscriptionId}/payments`;
    const listed = requireOk(await ledger.backend.get(path, seeing(token))).body['payments'];
    const [payment] = listed as { paymentId: string }[];
    const read = requireOk(await ledger.backend.get(`/sdk/server/payments/${payment?.paymentId}`));
    const { lines, refunds, ...listedFields } = read.body;
    expect(listedFields).toEqual(payment);
    expect(lines).toMatchObject([{ kind: 'recurring', amountCents: '999' }]);
    expect(refunds).toEqual([]);
    // It was asked for and captured.
    expect(read.headers.get('etag')).toBe('"1"');
  });
});

/** rules/api 15: the order notes its payment's events a little later, and the read waits for that. */
describe('an order that is read with the token of an act on its payment', () => {
  const AT_ONCE = 8;
  const read = async (orderId: string, act: Answer) => {
    return requireOk(
      await ledger.backend.get(`/sdk/server/orders/${orderId}`, seeing(requireOk(act))),
    ).body;
  };

  async function pay(transactionId: string) {
    const items = [{ id: 'gems', name: 'Gems', quantity: 1, price: '9.98' }];
    const order = { player: transactionId, items, transactionId };
    const { id } = await paymentLink(ledger.backend, order);
    const complete = `/checkout/${id}/complete`;
    const paid = await ledger.backend.post(complete, { paymentMethod: 'pm_ok' });
    const orderId = String(requireOk(paid).body['orderId']);
    return { orderId, paymentId: String((await read(orderId, paid))['paymentId']) };
  }

  /** Acts on the payment of an order, and reads the order after each act. */
  async function act(transactionId: string): Promise<unknown[]> {
    const { orderId, paymentId } = await pay(transactionId);
    const { status } = await read(
      orderId,
      await ledger.backend.post(`/sdk/server/payments/${paymentId}/refunds`, {
        amountCents: '400',
      }),
    );
    const disputes = `/manage/apps/${ledger.appId}/sandbox/disputes`;
    const opened = await ledger.operator.post(disputes, { paymentId });
    const disputed = await read(orderId, opened);
    const close = `${disputes}/${String(opened.body['disputeId'])}/close`;
    const lost = await read(orderId, await ledger.operator.post(close, { won: false }));
    return [status, disputed['status'], lost['status']];
  }

  it('shows what the act led to, however many acts there are at once', async () => {
    const players = Array.from({ length: AT_ONCE }, (_, index) => `acts-${String(index)}`);
    const purchases = players.map((player) =>
      buy(ledger.backend, { plan: 'gold', player: `${player}-buys` }),
    );
    const shown = await Promise.all(players.map(act));
    await Promise.all(purchases);
    const expected = ['PARTIALLY_REFUNDED', 'DISPUTED', 'REFUNDED'];
    expect(shown).toEqual(Array(AT_ONCE).fill(expected));
  });
});
