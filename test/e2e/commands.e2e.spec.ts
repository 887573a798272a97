import { describe, expect, it } from 'vitest';
import { anonymous } from '../support/api-client.js';
import { badFields, errorReason, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, checkoutLink, createPlan, seeing, tokenIn } from '../support/scenario.js';

const ledger = useLedger();

describe('commands', () => {
  it('create a checkout link once for a key, whatever has become of the plan', async () => {
    const planId = await createPlan(ledger.operator, ledger.appId, { code: 'fleeting' });
    const make = (key: string, user = 'player-7') =>
      ledger.backend.post(
        '/sdk/subscriptions/checkout-links',
        { plan: { code: 'fleeting' }, currency: 'USD', user: { id: user } },
        { 'idempotency-key': key },
      );
    const turn = (to: string) =>
      ledger.operator.post(`/manage/apps/${ledger.appId}/plans/${planId}/${to}`);
    const first = await make('link-1');
    await turn('archive');
    const again = await make('link-1');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(tokenIn(again)).toBe(tokenIn(first));
    expect(errorReason(await make('link-1', 'player-8'))).toBe('IDEMPOTENCY_KEY_REUSED');

    // A refused request leaves its key free, also for another one.
    expect(errorReason(await make('link-2'))).toBe('PLAN_NOT_AVAILABLE');
    await turn('activate');
    const other = await make('link-2', 'player-8');
    expect(other.status).toBe(200);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
  });

  it('of a backend are seen by the reads that follow, as a player’s are', async () => {
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-11' });
    const path = `/sdk/subscriptions/${subscriptionId}`;
    for (const [command, status] of [
      ['cancel', 'canceled'],
      ['reactivate', 'active'],
    ]) {
      const answer = await ledger.backend.post(`${path}/${command}`);
      expect(answer.body).toMatchObject({ status });
      const seen = seeing(answer);
      const read = await ledger.backend.get(path, seen);
      expect(read.body).toEqual(answer.body);
      const list = await ledger.backend.get('/sdk/subscriptions?externalAccountId=player-11', seen);
      expect(list.body['subscriptions']).toEqual([answer.body]);
    }
  });

  it('create one plan of a code for many requests at once', async () => {
    const path = `/manage/apps/${ledger.appId}/plans`;
    for (const code of ['race-1', 'race-2', 'race-3', 'race-4', 'race-5']) {
      const plan = {
        code,
        name: code,
        billingPeriodValue: '1',
        billingPeriodUnit: 'month',
        prices: [{ currency: 'USD', amountCents: '999' }],
      };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => ledger.operator.post(path, plan)),
      );
      const [first, ...others] = answers.filter(({ status }) => status === 200);
      expect([first?.body, others]).toMatchObject([{ code }, []]);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(errorReason))).toEqual(new Set(['PLAN_CODE_TAKEN']));
      const token = first === undefined ? '' : tokenIn(first);
      const listed = await ledger.operator.get(`${path}?limit=100`, seeing(token));
      const plans = listed.body['plans'] as readonly { id: string; code: string }[];
      const withCode = plans.filter((one) => one.code === code);
      expect(withCode.map(({ id }) => id)).toEqual([first?.body['id']]);
    }
  });

  it('honour it also where they take no key: they show a secret, or delete', async () => {
    const app = `/manage/apps/${ledger.appId}`;
    const { operator } = ledger;
    const nowhere = { url: 'http://127.0.0.1:9/' };
    const endpoint = `${app}/webhook-endpoints/${String((await operator.post(`${app}/webhook-endpoints`, nowhere)).body['id'])}`;
    const issued = await operator.post(`${app}/operator-tokens`, { roles: ['viewer'] });
    const stale = { headers: { 'if-match': '"99"' } };
    for (const [method, path] of [
      ['POST', `${app}/ingress-secrets`],
      ['POST', `${endpoint}/rotate-secret`],
      ['DELETE', endpoint],
      ['DELETE', `${app}/operator-tokens/${String(issued.body['id'])}`],
    ] as const) {
      const body = method === 'POST' ? { body: {} } : {};
      const refused = await operator.send(method, path, { ...body, ...stale });
      expect([path, ...refusal(refused)]).toEqual([path, 412, 9, 'REVISION_MISMATCH']);
    }
    const { headers } = await operator.post(`${endpoint}/rotate-secret`, {});
    const match = { headers: { 'if-match': String(headers.get('etag')) } };
    expect((await operator.send('DELETE', endpoint, match)).status).toBe(204);
  });
});

describe('the checkout', () => {
  it('answers with a declined payment, and the same link can be paid after all, once', async () => {
    const { id } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-9' });
    const complete = (paymentMethod: string) =>
      ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod });
    const declined = await complete('pm_decline_insufficient_funds');
    expect(refusal(declined)).toEqual([400, 9, 'PAYMENT_DECLINED']);
    expect(declined.body).toMatchObject({
      details: [
        {
          reason: 'PAYMENT_DECLINED',
          metadata: { reason: 'insufficient_funds', declineClass: 'soft' },
        },
      ],
    });
    const unknown = await complete('pm_unheard_of');
    expect(badFields(unknown)).toEqual(['paymentMethod']);
    const [bought, beside] = await Promise.all([complete('pm_ok'), complete('pm_ok')]);
    expect(bought.body).toEqual(beside.body);
    expect(bought.body).toMatchObject({ status: 'active' });
    const again = await complete('pm_decline_lost_card');
    expect(again.body).toEqual(bought.body);

    const list = await ledger.backend.get(
      '/sdk/subscriptions?externalAccountId=player-9',
      seeing(again),
    );
    expect(list.body['subscriptions']).toHaveLength(1);
  });

  it.each(['pm_decline_fraud', 'pm_decline_lost_card'])(
    'does not tell the payer that a card is stolen: %s',
    async (paymentMethod) => {
      const { id } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-12' });
      const declined = await ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod });
      expect(declined.body.details).toMatchObject([
        { metadata: { reason: 'card_declined', declineClass: 'hard' } },
      ]);
      expect(declined.text).not.toMatch(/fraud|lost|stolen/);
    },
  );

  it('pauses a link when several cards in a row were declined, and says for how long', async () => {
    const { id } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-13' });
    const pay = () => ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_ok' });
    const decline = () =>
      ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_decline_lost_card' });
    // On a slow machine the first pauses are over before the next card comes; they grow.
    let paused = await decline();
    while (errorReason(paused) === 'PAYMENT_DECLINED') paused = await decline();
    expect(refusal(paused)).toEqual([429, 8, 'CHECKOUT_LINK_PAUSED']);
    const seconds = Number(paused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(paused.body.details).toContainEqual(
      expect.objectContaining({ retryDelay: `${seconds}s` }),
    );
    await eventually(async () => (await pay()).status === 200, { what: 'the end of the pause' });
  });

  it('shows a page that reads well without a script, and says what is wrong with an address', async () => {
    const { url } = await checkoutLink(ledger.backend, { plan: 'gold', player: '<script>' });
    const page = await anonymous(ledger.standalone.baseUrl).get(new URL(url).pathname);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<html lang="en" dir="ltr">');
    expect(page.text).toContain('$9.99 every month');
    expect(page.text).not.toContain('<script>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const missing = await anonymous(ledger.standalone.baseUrl).get('/checkout/cl_nothing');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toContain('text/html');
  });
});
