import { beforeAll, describe, expect, it } from '@jest/globals';
import { useBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink, createPlan } from '../support/scenario.js';

const ledger = useLedger();
const browser = useBrowser();
/** Chromium's own line for an answer of 400, which is how a declined payment is told. */
const DECLINED = 'Failed to load resource: the server responded with a status of 400 (Bad Request)';

async function openLink(plan = 'gold', more: Readonly<Record<string, unknown>> = {}) {
  const link = await checkoutLink(ledger.backend, { plan, player: `player-${plan}`, ...more });
  return { ...(await browser.open(link.url)), link };
}

beforeAll(async () => {
  const terms = { trialPeriodValue: '14', trialPeriodUnit: 'day' };
  await createPlan(ledger.operator, ledger.appId, {
    code: 'trial',
    name: 'Platinum & <b>more</b>',
    description: '<img src=x onerror=alert(1)>',
    prices: [{ currency: 'JPY', amountCents: '98000' }],
    ...terms,
  });
});

describe('the checkout page, in a browser', () => {
  it('tells the seller, the price and the terms, and after paying the outcome', async () => {
    const { page, complaints, outside } = await openLink();
    expect(await page.title()).toBe('Subscribe to Plan gold');
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('demo');
    expect(text).toContain('$9.99 every month');
    expect(text).toMatch(/Due today\s+\$9\.99/);
    expect(text).toContain('renews at $9.99 every month until you cancel it');

    await page.getByRole('button', { name: 'Pay $9.99' }).click();
    const outcome = page.getByText('Thank you! Your subscription is active.');
    await outcome.waitFor();
    expect(await page.locator(':focus').innerText()).toContain('Thank you!');
    expect(await page.title()).toBe('You are subscribed to Plan gold');
    expect(await page.getByRole('button').count()).toBe(0);

    await page.reload();
    await outcome.waitFor();
    expect(complaints).toEqual([]);
    expect(outside).toEqual([]);
  });

  it('tells a decline, and the same page can be paid after all', async () => {
    const { page, complaints } = await openLink();
    await page.getByLabel('Card without enough money').check();
    await page.getByRole('button').click();
    await page.getByText('The payment was declined, and nothing was charged.').waitFor();
    expect(await page.locator(':focus').innerText()).toContain('declined');
    await page.getByLabel('Card that is accepted', { exact: true }).check();
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
    expect(complaints).toEqual([DECLINED]);
  });

  it('tells a trial: what is due today, and what after it', async () => {
    const { page, complaints } = await openLink('trial', { currency: 'JPY' });
    const text = await page.getByRole('main').innerText();
    expect(text).toMatch(/Due today\s+¥0/);
    expect(text).toMatch(/Free trial\s+14 days/);
    expect(text).toMatch(/After the trial\s+¥98,000 every month/);
    expect(text).toContain('Platinum & <b>more</b>');
    expect(text).toContain('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Start the free trial' }).click();
    await page.getByText('Your free trial of 14 days has begun.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('tells that a payment is on its way, and its outcome as soon as there is one', async () => {
    const { page, link } = await openLink();
    // Another window pays with a card whose bank takes its time; this one is opened meanwhile.
    const paid = ledger.backend.post(`/checkout/${link.id}/complete`, {
      paymentMethod: 'pm_pending',
    });
    await eventually(
      async () => (await (await fetch(link.url)).text()).includes('data-state="pending"'),
      { what: 'the page of a payment on its way' },
    );
    await page.reload();
    expect(await page.getByRole('main').innerText()).toContain('Your bank has not answered yet.');
    await page.getByText('Your subscription is active.').waitFor();
    expect((await paid).body).toMatchObject({ status: 'active' });
  });

  it('tells a payment without an answer within its time, and does not send it again', async () => {
    const { page } = await openLink();
    let sent = 0;
    await page.route('**/complete', async (route) => {
      sent += 1;
      await ledger.backend.post(new URL(route.request().url()).pathname, {
        paymentMethod: 'pm_pending',
      });
      await route.fulfill({ status: 202, json: { status: 'pending' } });
    });
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
    expect(sent).toBe(1);
  });

  it('can be paid after a loss of the connection', async () => {
    const { page } = await openLink();
    await page.route('**/complete', (route) => route.abort());
    await page.getByRole('button').click();
    await page.getByText('We could not be reached. Please try again: you pay once only.').waitFor();
    await page.unroute('**/complete');
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
  });

  it('says so when there is no such link', async () => {
    const { page } = await browser.open(`${ledger.standalone.baseUrl}/checkout/cl_nothing`);
    expect(await page.getByRole('heading').innerText()).toBe('There is no such offer');
  });
});
