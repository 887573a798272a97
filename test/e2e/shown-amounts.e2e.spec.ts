import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, anonymous } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { putTaxRates } from '../support/prices.js';
import {
  advanceTo,
  checkoutLink,
  createPlan,
  later,
  paymentLink,
  requireOk,
  seeing,
} from '../support/scenario.js';

/** The page's amount is the charge, though tax rates change before the click (rules/payments 11). */
const ledger = useLedger();
let day = 0;

beforeAll(async () => {
  const prices = [
    { currency: 'USD', amountCents: '1000' },
    { currency: 'JPY', amountCents: '1000' },
  ];
  const terms = { code: 'tea', prices };
  await createPlan(ledger.operator, ledger.appId, terms);
});

/** Sets the rate of Estonia; at a moment to come where that is named. */
async function setRate(rate: string, effectiveFrom?: string): Promise<void> {
  const rates = [{ country: 'EE', rate, inclusive: false }];
  requireOk(await putTaxRates(ledger.operator, ledger.appId, { rates, effectiveFrom }));
}

const inDays = (days: number) => later(ledger.operator, ledger.appId, days * 86_400_000);

/** The fields that the page's form sends back. */
async function openPage(linkId: string) {
  const { text } = await anonymous(ledger.standalone.baseUrl).get(`/checkout/${linkId}`);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`, 'u').exec(text)?.[1];
  return { text, amountCents: field('amountCents'), attemptKey: field('attemptKey') };
}

const complete = (linkId: string, amountCents?: string): Promise<Answer> =>
  ledger.backend.post(`/checkout/${linkId}/complete`, { paymentMethod: 'pm_ok', amountCents });

const planLink = (player: string, currency = 'USD') =>
  checkoutLink(ledger.backend, { plan: 'tea', player, currency, regionCode: 'EE' });
const buyLink = async (player: string, currency?: string) => (await planLink(player, currency)).id;

/** A payment link of the studio's backend. */
async function orderLink(): Promise<string> {
  day += 1;
  const items = [{ id: 'tea', name: 'Tea', quantity: 1, price: '10.00' }];
  const order = { player: 'buyer', items, transactionId: `txn-${day}`, regionCode: 'EE' };
  return (await paymentLink(ledger.backend, order)).id;
}

async function charged(paid: Answer): Promise<unknown> {
  const { subscriptionId } = paid.body;
  const path = `/sdk/subscriptions/${String(subscriptionId)}/payments`;
  const { body } = await ledger.backend.get(path, seeing(requireOk(paid)));
  return (body['payments'] as { amountCents: string }[]).map(({ amountCents }) => amountCents);
}

describe('a page whose tax changes before the click', () => {
  it.each([
    ['a plan', () => buyLink('player-plan'), 'Pay $12.20', 'USD'],
    ['a plan in yen', () => buyLink('player-yen', 'JPY'), 'Pay ¥1,220', 'JPY'],
    ['an order', orderLink, 'Pay $12.20', 'USD'],
  ])('charges nothing for %s, and says what is due now', async (_what, make, button, currency) => {
    await setRate('0.22');
    const linkId = await make();
    const seen = await openPage(linkId);
    expect(seen.text).toContain(button);
    await setRate('0.24');
    const refused = await complete(linkId, seen.amountCents);
    expect(refusal(refused)).toEqual([400, 9, 'AMOUNT_CHANGED']);
    const due = { amountCents: '1240', currency };
    expect(refused.body['details']).toMatchObject([{ metadata: due }]);
    const anew = await openPage(linkId);
    expect(anew.text).toContain('data-state="open"');
    expect(anew.amountCents).toBe(due.amountCents);
    expect((await complete(linkId, anew.amountCents)).status).toBe(200);
  });

  it('charges less than was shown as it is, and without a word what is due', async () => {
    await setRate('0.22');
    const [cheaper, silent] = [await buyLink('player-less'), await buyLink('player-silent')];
    const { amountCents } = await openPage(cheaper);
    await setRate('0.2');
    expect(await charged(await complete(cheaper, amountCents))).toEqual(['1200']);
    expect(refusal(await complete(silent, '1'))).toEqual([400, 9, 'AMOUNT_CHANGED']);
    expect(await charged(await complete(silent))).toEqual(['1200']);
  });

  it('by a rate that was set for a moment which comes meanwhile is refused, too, by a form', async () => {
    await setRate('0.22');
    const { id: linkId, url } = await planLink('player-later');
    const seen = await openPage(linkId);
    await setRate('0.24', await inDays(1));
    expect((await openPage(linkId)).amountCents).toBe('1220');
    await advanceTo(ledger.operator, ledger.appId, await inDays(2));
    // The storefront follows the test clock by the feed.
    await eventually(async () => (await openPage(linkId)).amountCents === '1240', {
      what: 'a page by the rate of the new day',
    });
    const form = new URLSearchParams({
      ...{ paymentMethod: 'pm_ok', amountCents: String(seen.amountCents) },
      attemptKey: String(seen.attemptKey),
    });
    const sent = await fetch(`${url}/pay`, { method: 'POST', body: form, redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `/checkout/${linkId}?refusal=AMOUNT_CHANGED`,
    ]);
  });
});
