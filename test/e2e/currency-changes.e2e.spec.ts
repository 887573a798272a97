import { beforeAll, describe, expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { knowPrices, putTaxRates } from '../support/prices.js';
import { advanceTo, buy, createPlan, requireOk, seeing } from '../support/scenario.js';

/** A currency ends, and its subscriptions go on in another one (rules/lifecycle 14). */
const ledger = useLedger();
const receiver = useReceiver(ledger, ['subscription.*', 'payment.*']);
const MOVE = { from: 'USD', to: 'EUR' };
const BOTH = [
  { currency: 'USD', amountCents: '999' },
  { currency: 'EUR', amountCents: '899' },
];
const RATES = {
  rates: [{ country: 'DE', rate: '0.1', inclusive: false }],
};

beforeAll(async () => {
  await Promise.all([
    createPlan(ledger.operator, ledger.appId, { code: 'both', prices: BOTH }),
    createPlan(ledger.operator, ledger.appId, {
      code: 'dearer',
      prices: BOTH.map((price) => ({ ...price, amountCents: '1999' })),
    }),
  ]);
  await knowPrices(ledger.backend, await putTaxRates(ledger.operator, ledger.appId, RATES));
});

interface Change {
  readonly subscriptionId: string;
  readonly moves: boolean;
  readonly reason: string | null;
}

const path = (appId = ledger.appId) => `/manage/apps/${appId}/currency-changes`;
const query = (asked: Readonly<Record<string, string>>) =>
  `${path()}?${new URLSearchParams(asked).toString()}`;

async function subscribe(plan: string, player: string, regionCode?: string) {
  const more = regionCode === undefined ? {} : { regionCode };
  const bought = await buy(ledger.backend, { plan, player, ...more });
  return { ...bought, path: `/sdk/subscriptions/${bought.subscriptionId}` };
}

/** Every page of a dry run, or of the command. */
async function askForAll(ask: (pageToken: string) => Promise<{ body: object }>): Promise<Change[]> {
  const found: Change[] = [];
  let pageToken = '';
  do {
    const page = (await ask(pageToken)).body as { subscriptions: Change[]; nextPageToken: string };
    found.push(...page.subscriptions);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return found;
}

const dryRun = (token = '', asked: Readonly<Record<string, string>> = MOVE) =>
  askForAll(async (pageToken) => {
    const headers = token === '' ? {} : { 'x-consistency-token': token };
    return requireOk(await ledger.operator.get(query({ ...asked, pageToken }), { headers }));
  });
const moveAll = (more: object = {}) =>
  askForAll(async (pageToken) =>
    requireOk(await ledger.operator.post(path(), { ...MOVE, ...more, pageToken })),
  );
const find = (changes: readonly Change[], id: string) =>
  changes.find(({ subscriptionId }) => subscriptionId === id);

/** The webhooks of a subscription and its payments, in their order. */
const sent = (id: string) =>
  receiver.received.filter(({ data }) => [data['id'], data['subscription_id']].includes(id));

/** Lets the next charge happen, and those of all that were bought before. @returns the token of that. */
async function renew(lastBought: { readonly path: string }): Promise<string> {
  const { body } = requireOk(await ledger.backend.get(lastBought.path));
  return advanceTo(ledger.operator, ledger.appId, String(body['next_billing_date']));
}

/** The amount of a subscription's newest payment. */
async function newestCharge(subscription: { readonly path: string }, token: string) {
  const list = await ledger.backend.get(`${subscription.path}/payments?limit=1`, seeing(token));
  const [newest] = requireOk(list).body['payments'] as Record<string, unknown>[];
  const { currency, amountCents, totalTaxAmountCents } = newest ?? {};
  return { currency, amountCents, totalTaxAmountCents };
}

describe('a currency that ends', () => {
  it('is previewed, told before, and charged in the other currency from the renewal on', async () => {
    const moving = await subscribe('both', 'mover', 'DE');
    const staying = await subscribe('gold', 'stayer');
    const before = requireOk(await ledger.backend.get(moving.path)).body;
    const due = before['next_billing_date'];
    const move = {
      ...{ subscriptionId: moving.subscriptionId, externalAccountId: 'mover', moves: true },
      ...{ planId: before['plan_id'], reason: null, effectiveAt: due },
      before: { currency: 'USD', amountCents: '1099', totalTaxAmountCents: '100' },
      after: { currency: 'EUR', amountCents: '989', totalTaxAmountCents: '90' },
    };
    const previewed = await dryRun();
    expect(find(previewed, moving.subscriptionId)).toEqual(move);
    expect(find(previewed, staying.subscriptionId)).toMatchObject({
      ...{ moves: false, reason: 'no_price', effectiveAt: null, before: null, after: null },
    });
    // A dry run leaves all as it was: the second one says the same.
    expect(await dryRun()).toEqual(previewed);
    expect(sent(moving.subscriptionId).map(({ type }) => type)).not.toContain(
      'subscription.currency_change_scheduled',
    );
    expect(find(await moveAll(), moving.subscriptionId)).toEqual(move);
    await eventually(() => sent(moving.subscriptionId).length > 2);
    const told = sent(moving.subscriptionId).at(-1);
    expect(told).toMatchObject({
      type: 'subscription.currency_change_scheduled',
      data: { ...before, effective_at: due, currency: 'EUR', total: '9.89', tax: '0.90' },
    });
    const token = await renew(staying);
    expect(await newestCharge(moving, token)).toEqual({
      ...{ currency: 'EUR', amountCents: '989', totalTaxAmountCents: '90' },
    });
    const charged = await newestCharge(staying, token);
    expect(charged).toMatchObject({ currency: 'USD', amountCents: '999' });
    await eventually(() => sent(moving.subscriptionId).length > 5);
    expect(sent(moving.subscriptionId).slice(3, 6)).toMatchObject([
      { type: 'subscription.updated', data: { plan_id: before['plan_id'] } },
      { type: 'payment.succeeded', data: { currency: 'EUR', total: '9.89', tax: '0.90' } },
      { type: 'subscription.payment_succeeded' },
    ]);
  });
});

describe('a change of the plan beside a move', () => {
  const ask = (of: string, wish: object) =>
    ledger.backend.post(`${of}/change-checkout-links`, wish);
  const complete = (link: unknown) =>
    ledger.backend.post(`/checkout/${String(link)}/complete`, { paymentMethod: 'pm_ok' });

  it('is refused while the move waits, and by a page of before; nothing is charged', async () => {
    const subscription = await subscribe('both', 'changer');
    const wish = { plan: { code: 'dearer' } };
    const link = requireOk(await ask(subscription.path, wish)).body;
    const method = requireOk(await ask(subscription.path, {})).body;
    expect(find(await moveAll(), subscription.subscriptionId)).toMatchObject({ moves: true });
    for (const plan of ['dearer', 'gold', 'both']) {
      const refused = await ask(subscription.path, { plan: { code: plan } });
      expect(refusal(refused)).toEqual([400, 9, 'CURRENCY_CHANGING']);
    }
    expect(refusal(await complete(link['id']))).toEqual([400, 9, 'CURRENCY_CHANGING']);
    // The page of a payment method tells the charges from now on.
    expect(await (await fetch(String(method['url']))).text()).toContain('8.99');
    const charged = await newestCharge(subscription, await renew(subscription));
    expect(charged).toMatchObject({ currency: 'EUR', amountCents: '899' });
    const { subscriptionId } = subscription;
    const payments = () => sent(subscriptionId).filter(({ type }) => type === 'payment.succeeded');
    await eventually(() => payments().length === 2);
    const links = [link, requireOk(await ask(subscription.path, wish)).body];
    const page = await (await fetch(String(link['url']))).text();
    expect(page).not.toContain('<form');
    const [old, fresh] = await Promise.all(links.map(({ id }) => complete(id)));
    expect(old && refusal(old)).toEqual([400, 9, 'CURRENCY_CHANGED']);
    expect(fresh?.status).toBe(200);
    await eventually(() => payments().length === 3);
    expect(payments().map(({ data }) => data['currency'])).toEqual(['USD', 'EUR', 'EUR']);
  });
});

describe('subledger subscriptions move-currency', () => {
  const run = (...args: string[]) => {
    const { baseUrl, demo } = ledger.standalone;
    const env = { SUBLEDGER_URL: baseUrl, SUBLEDGER_TOKEN: demo.operatorToken };
    const command = ['subscriptions', 'move-currency', ...args];
    return subledger(command, { ...env, SUBLEDGER_APP: ledger.appId });
  };

  it('lists who would move and who would stay, and moves them', async () => {
    const { subscriptionId } = await subscribe('both', 'typed');
    const asked = ['--from', 'USD', '--to', 'EUR'];
    const preview = await run(...asked, '--dry-run');
    expect([preview.code, preview.stderr]).toEqual([0, '']);
    const row = preview.stdout.split('\n').find((line) => line.startsWith(subscriptionId));
    expect(row).toMatch(/ {2}typed +plan_\w+ +20\S+Z +9\.99 USD +8\.99 EUR$/);
    expect(preview.stdout).toMatch(/\d+ would move from USD to EUR, each with the next renewal;/);
    expect(preview.stdout).toMatch(/would stay in USD \(.*\d+ no_price/);
    const { code, stdout } = await run(...asked, '--json');
    const answer = JSON.parse(stdout) as { moving: number; subscriptions: Change[] };
    expect([code, find(answer.subscriptions, subscriptionId)?.moves]).toEqual([0, true]);
    const again = await run(...asked);
    expect(again.stdout).toMatch(/^0 move from USD to EUR/m);
  });

  it('says what is missing or wrong', async () => {
    const missing = await run('--from', 'USD');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--to')]);
    const wrong = await run('--from', 'USD', '--to', 'USD', '--dry-run');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('to: must be another')]);
    expect((await run('--help')).stdout).toContain('--locked-prices');
  });
});
