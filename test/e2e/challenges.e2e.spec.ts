import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { advanceTo, buy, checkoutLink, createPlan, later, requireOk } from '../support/scenario.js';

/** The bank wants the player to confirm (rules/payments 19). */
const CARD = { paymentMethod: 'pm_authentication_required' };
const ledger = useLedger();
const receiver = useReceiver(ledger, ['payment.*', 'subscription.*']);

beforeAll(async () => {
  await createPlan(ledger.operator, ledger.appId, {
    code: 'platinum',
    prices: [{ currency: 'USD', amountCents: '1999' }],
  });
});

const makeLink = (player: string) => checkoutLink(ledger.backend, { plan: 'gold', player });
const complete = (link: string, body: object = CARD, headers = {}) =>
  ledger.backend.post(`/checkout/${link}/complete`, body, headers);
const readState = async (url: string) =>
  /data-state="(\w+)"/.exec(await (await fetch(url)).text())?.[1];

/** The bank's page in the answer to a click. */
function challengeIn({ status, body }: Answer): string {
  expect([status, body]).toEqual([202, { status: 'challenge', challengeUrl: expect.any(String) }]);
  return String(body['challengeUrl']);
}

/** Sends the form of the bank's page, as a browser does. */
async function decide(challengeUrl: string, decision: 'accept' | 'decline') {
  const body = new URLSearchParams({ decision });
  const { status, headers } = await fetch(challengeUrl, {
    ...{ method: 'POST', body, redirect: 'manual' },
  });
  expect(status).toBe(303);
  return headers.get('location');
}

describe('a purchase that the player has to confirm', () => {
  it('shows the step, is the same one for every click, and buys once it is confirmed', async () => {
    const { id, url } = await makeLink('confirms');
    const key = { 'idempotency-key': 'confirms-1' };
    const challengeUrl = challengeIn(await complete(id, CARD, key));
    expect(challengeUrl.startsWith(`${url}/challenge/`)).toBe(true);
    expect(challengeIn(await complete(id, CARD, key))).toBe(challengeUrl);
    expect(challengeIn(await complete(id))).toBe(challengeUrl);
    expect(await readState(url)).toBe('challenged');
    expect(await decide(challengeUrl, 'accept')).toBe(`/checkout/${id}`);
    expect(await readState(url)).toBe('completed');
    const paid = requireOk(await complete(id, CARD, key));
    expect(paid.body['status']).toBe('active');
    await decide(challengeUrl, 'decline');
    const subscriptionId = String(paid.body['subscriptionId']);
    await receiver.until(() => receiver.sentFor(subscriptionId).length === 2);
    expect(receiver.typesSentFor(subscriptionId)).toEqual([
      'payment.succeeded',
      'subscription.created',
    ]);
  });

  it('that was paid another way keeps one payment, and gives the confirmed one back', async () => {
    const { id, url } = await makeLink('another-way');
    const challengeUrl = challengeIn(await complete(id));
    const paid = requireOk(await complete(id, { paymentMethod: 'pm_ok' }));
    await decide(challengeUrl, 'accept');
    const late = challengeUrl.split('/').at(-1) ?? '';
    await receiver.until(() => receiver.sentFor(late).length === 2);
    expect(receiver.typesSentFor(late)).toEqual(['payment.succeeded', 'payment.refunded']);
    const subscriptionId = String(paid.body['subscriptionId']);
    expect(receiver.typesSentFor(subscriptionId)).not.toContain('payment.refunded');
    expect(await readState(url)).toBe('completed');
  });

  it('is nothing to those who do not have its link', async () => {
    const [mine, theirs] = [await makeLink('mine'), await makeLink('theirs')];
    const payment =
      challengeIn(await complete(mine.id))
        .split('/')
        .at(-1) ?? '';
    const body = new URLSearchParams({ decision: 'accept' });
    for (const address of [`${theirs.url}/challenge/${payment}`, `${mine.url}/challenge/pay_1`]) {
      expect((await fetch(address)).status).toBe(404);
      const decided = await fetch(address, { method: 'POST', body });
      expect([decided.status, decided.headers.get('content-type')]).toEqual([
        404,
        expect.stringContaining('text/html'),
      ]);
    }
    const odd = await fetch(`${mine.url}/challenge/${payment}`, {
      ...{ method: 'POST', body: new URLSearchParams({ decision: 'perhaps' }) },
    });
    expect([odd.status, await readState(mine.url)]).toEqual([400, 'challenged']);
  });
});

describe('a change that the player has to confirm', () => {
  const upgrade = async (subscriptionId: string) => {
    const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
    const { id, url } = requireOk(
      await ledger.backend.post(path, { plan: { code: 'platinum' } }),
    ).body;
    return { id: String(id), url: String(url) };
  };

  it('happens once it is confirmed, and no other method takes its place', async () => {
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'upgrades' });
    const { id, url } = await upgrade(subscriptionId);
    const challengeUrl = challengeIn(await complete(id));
    expect(challengeIn(await complete(id, { paymentMethod: 'pm_ok' }))).toBe(challengeUrl);
    expect(await (await fetch(url)).text()).not.toContain('<form');
    await decide(challengeUrl, 'accept');
    expect(requireOk(await complete(id)).body).toMatchObject({ subscriptionId, status: 'active' });
    await receiver.until(() => receiver.sentFor(subscriptionId).length === 4);
    expect(receiver.typesSentFor(subscriptionId).slice(2)).toEqual([
      'payment.succeeded',
      'subscription.updated',
    ]);
  });
});

/** A subscription and the first line of its only payment. */
async function readFirstPeriod(subscriptionId: string) {
  const path = `/sdk/subscriptions/${subscriptionId}`;
  const { body: subscription } = requireOk(await ledger.backend.get(path));
  const { body } = requireOk(await ledger.backend.get(`${path}/payments`));
  const [payment] = body['payments'] as { paymentId: string }[];
  const found = await ledger.backend.get(`/sdk/server/payments/${payment?.paymentId}`);
  const [line] = requireOk(found).body['lines'] as Record<string, unknown>[];
  return [subscription, line] as const;
}

it('a purchase that is confirmed hours later pays the period that the subscription has', async () => {
  const { id } = await makeLink('confirms-late');
  const challengeUrl = challengeIn(await complete(id));
  const hoursLater = await later(ledger.operator, ledger.appId, 3 * 3_600_000);
  await advanceTo(ledger.operator, ledger.appId, hoursLater);
  await decide(challengeUrl, 'accept');
  const { subscriptionId } = requireOk(await complete(id)).body;
  const [subscription, line] = await readFirstPeriod(String(subscriptionId));
  const { created_at: start, current_period_end: end } = subscription;
  expect(line).toMatchObject({ covers: { start, end }, price: { lockedAt: start } });
  expect(String(start) >= hoursLater).toBe(true);
});
