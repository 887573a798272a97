import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { useBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink } from '../support/scenario.js';

const ledger = useLedger();
const browser = useBrowser();

async function openLink() {
  const link = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-gold' });
  return { ...(await browser.open(link.url)), link };
}

/** A payment that the gateway never answers: its bound passes while the other tests go on. */
let unanswered: Awaited<ReturnType<typeof openLink>> & { readonly answer: Promise<Answer> };

function payByDownGateway(linkId: string): Promise<Answer> {
  const key = { 'idempotency-key': 'down' };
  const body = { paymentMethod: 'pm_unavailable' };
  return ledger.backend.post(`/checkout/${linkId}/complete`, body, key);
}

async function untilPending(url: string): Promise<void> {
  await eventually(async () => (await (await fetch(url)).text()).includes('data-state="pending"'), {
    what: 'the page of a payment on its way',
  });
}

beforeAll(async () => {
  const link = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-down' });
  const answer = payByDownGateway(link.id);
  await untilPending(link.url);
  unanswered = { ...(await browser.open(link.url)), link, answer };
});

describe('the checkout page, in a browser', () => {
  it('shows the seller, the price and the terms, and after paying the outcome', async () => {
    const { page, complaints, outside } = await openLink();
    expect(await page.title()).toBe('Subscribe to Plan gold');
    expect(await page.getByRole('banner').innerText()).toContain('demo');
    const text = await page.getByRole('main').innerText();
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

  it('shows that a payment is on its way, and its outcome as soon as there is one', async () => {
    const { page, link } = await openLink();
    // Another window pays with a card whose bank takes its time; this one is opened meanwhile.
    const paid = ledger.backend.post(`/checkout/${link.id}/complete`, {
      paymentMethod: 'pm_pending',
    });
    await untilPending(link.url);
    await page.reload();
    expect(await page.getByRole('main').innerText()).toContain('Your bank has not answered yet.');
    await page.getByText('Your subscription is active.').waitFor();
    expect((await paid).body).toMatchObject({ status: 'active' });
  });

  it('shows a payment without an answer within its time, and does not send it again', async () => {
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

  it('says how long to wait when card after card is declined', async () => {
    const { page } = await openLink();
    await page.getByLabel('Card without enough money').check();
    await page.route('**/complete', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '1' },
        json: { code: 8, message: 'Please wait.', details: [{ reason: 'CHECKOUT_LINK_PAUSED' }] },
      }),
    );
    await page.getByRole('button').click();
    await page.getByText('Please wait. You can go on in 1 s.').waitFor();
    await page.unroute('**/complete');
    await page.getByLabel('Card that is accepted', { exact: true }).check();
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
  });

  it('sends a click whose answer was lost again under the same key, and a new one anew', async () => {
    const { page } = await openLink();
    const keys: (string | undefined)[] = [];
    let isLost = true;
    await page.route('**/complete', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (isLost) await route.abort();
      else await route.continue();
    });
    await page.getByLabel('Card without enough money').check();
    await page.getByRole('button').click();
    await page.getByText('We could not be reached.').waitFor();
    isLost = false;
    await page.getByRole('button').click();
    await page.getByText('The payment was declined, and nothing was charged.').waitFor();
    await page.getByLabel('Card without enough money').check();
    await page.getByRole('button').click();
    await eventually(() => keys.length === 3, { what: 'the third click' });
    expect(keys[0]).toMatch(/^page-[0-9-]+$/);
    expect([keys[1], keys[2] === keys[0]]).toEqual([keys[0], false]);
  });

  it('offers another way to pay when a bank does not answer, and shows the outcome of that one', async () => {
    const { page, link, answer } = unanswered;
    const { status, body } = await answer;
    expect([status, body]).toEqual([202, { status: 'pending' }]);
    // The page was opened at the start of these tests, and has looked for the outcome since.
    await page.getByText('You can wait here, or pay another way now').waitFor();
    await page.getByLabel('Card that is accepted', { exact: true }).check();
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
    const again = await payByDownGateway(link.id);
    expect([again.status, again.body]).toMatchObject([200, { status: 'active' }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
