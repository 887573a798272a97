import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink } from '../support/scenario.js';

const ledger = useLedger();
const browser = useBrowser();

async function open(options = {}) {
  const { url } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-1' });
  return browser.open(url, options);
}

describe('the checkout page is for everybody', () => {
  it('with a keyboard alone', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Card that is accepted');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Card without enough money');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Pay $9.99');
    await page.keyboard.press('Enter');
    await page.getByText('The payment was declined').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Pay $9.99');
    await page.keyboard.press('Space');
    await page.getByText('Your subscription is active.').waitFor();
  });

  it('with a screen reader: landmark, heading, a named group, named controls, a status', async () => {
    const { page } = await open();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.getByRole('main').ariaSnapshot()).toMatch(
      new RegExp(
        [
          'heading "Subscribe to Plan gold" \\[level=1\\]',
          'group "Pay with"',
          'radio "Card that is accepted" \\[checked\\]',
          'button "Pay \\$9.99"',
        ].join('[^]*'),
      ),
    );
    expect(await page.getByRole('status').count()).toBe(1);
  });

  it('without JavaScript: a card is declined, and another one buys', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false });
    await page.getByLabel('Card without enough money').check();
    await page.getByRole('button').click();
    await page.getByText('The payment was declined, and nothing was charged.').waitFor();
    await page.getByLabel('Card that is accepted', { exact: true }).check();
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('without JavaScript: the outcome of a payment on its way comes by itself', async () => {
    const { page } = await open({ javaScriptEnabled: false });
    await page.getByLabel('Card whose bank takes its time').check();
    await page.getByRole('button').click();
    await page.getByText('Your subscription is active.').waitFor();
  });
});

describe('the step to the bank is for everybody', () => {
  const CARD = 'Card that wants a confirmation';

  it('with a keyboard alone', async () => {
    const { page, complaints } = await open();
    await page.getByLabel(CARD).check();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Do you make this payment?' }).waitFor();
    // A player who goes back finds the step, and that leads to the same page.
    await page.goBack();
    const step = page.getByRole('link', { name: 'Confirm with your bank' });
    await step.press('Enter');
    await page.getByText('wants to charge you $9.99').waitFor();
    for (const name of ['Confirm the payment', 'Decline the payment']) {
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe(name);
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Your subscription is active.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('with a bad connection: it is gone to whether or not the page can be shown anew', async () => {
    const { page } = await open();
    const address = page.url();
    await page.route(address, (route) => route.abort());
    await page.getByLabel(CARD).check();
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Do you make this payment?' }).waitFor();
    await page.unroute(address);
    // Another window takes another card, whose bank has a page of its own: this one leads there, too.
    await page.goto(address);
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('/challenge/', '/challenge/another_');
      await route.fulfill({ response, body });
    });
    await page.locator('#step[href*="/challenge/another_"]').waitFor();
    // The page goes on asking: an answer that is still rewritten when the window is closed would fail the file.
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('without JavaScript, as declined', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false });
    await page.getByLabel(CARD).check();
    await page.getByRole('button').click();
    await page.getByRole('button', { name: 'Decline the payment' }).click();
    await page.getByText('The payment was declined, and nothing was charged.').waitFor();
    expect(complaints).toEqual([]);
  });
});

/** The control that a keyboard would act on: its text, or its label's. */
async function focused(page: Page): Promise<string> {
  const control = page.locator(':focus');
  const label = page.locator('label:focus-within');
  return (await label.count()) === 1 ? label.innerText() : control.innerText();
}
