import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityProblems } from '../support/accessibility.js';
import { useBrowser } from '../support/browser.js';
import { useLedger } from '../support/fixture.js';
import { putTaxRates } from '../support/prices.js';
import { checkoutLink, createPlan, requireOk } from '../support/scenario.js';

/** Pages can be used by everybody, on every screen (rules/storefront 9). */
const ledger = useLedger();
const browser = useBrowser();

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const SCHEMES = ['light', 'dark'] as const;
/** The colours of studios that are the hardest: white, black, and one between. */
const ACCENTS = ['#fff8c2', '#06070a', '#c2410c'];

const makeLink = (plan: string, more: object = {}) =>
  checkoutLink(ledger.backend, { plan, player: `player-${plan}`, ...more });
const pay = (id: string, paymentMethod: string) =>
  ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod });

async function setBrand(more: object): Promise<void> {
  const address = 'https://gold.example';
  const brand = {
    ...{ name: 'Gold Rush', supportUrl: `${address}/help`, supportEmail: 'help@gold.example' },
    ...{ termsUrl: `${address}/terms`, privacyUrl: `${address}/privacy`, ...more },
  };
  const path = `/manage/apps/${ledger.appId}/brand`;
  requireOk(await ledger.operator.send('PUT', path, { body: brand }));
}

/** Links in every state that a page tells of. */
const addresses: Record<string, string> = {};

beforeAll(async () => {
  await setBrand({});
  const rates = [{ country: 'US', region: 'NY', rate: '0.08875', inclusive: false }];
  requireOk(await putTaxRates(ledger.operator, ledger.appId, { rates }));
  await createPlan(ledger.operator, ledger.appId, {
    ...{ code: 'trial', trialPeriodValue: '14', trialPeriodUnit: 'day' },
    description: 'All worlds, 500 gems a month, and no advertisements.',
  });
  const open = await makeLink('gold', { regionCode: 'US-NY', returnUrl: 'https://gold.example/' });
  const declined = await makeLink('gold');
  const challenged = await makeLink('gold');
  const completed = await makeLink('trial');
  const unanswered = await makeLink('gold');
  await pay(declined.id, 'pm_decline_insufficient_funds');
  const { body } = await pay(challenged.id, 'pm_authentication_required');
  await pay(completed.id, 'pm_ok');
  // Answered after the bound, when another way to pay may be chosen.
  await pay(unanswered.id, 'pm_unavailable');
  const arabic = await makeLink('trial', { language: 'ar', regionCode: 'EG' });
  Object.assign(addresses, {
    ...{ open: open.url, declined: declined.url, challenged: challenged.url, arabic: arabic.url },
    ...{ trial: (await makeLink('trial')).url, bank: body['challengeUrl'] },
    ...{ completed: completed.url, unanswered: unanswered.url, missing: `${open.url}x` },
  });
});

/** What is shown wider than the screen, or is lower than a finger is wide. */
async function findMisfits(page: Page): Promise<unknown> {
  return page.evaluate(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : []),
    ...[...document.querySelectorAll('a, button, fieldset label')].flatMap((each) => {
      const { height } = each.getBoundingClientRect();
      return height >= 44 ? [] : [each.outerHTML];
    }),
  ]`);
}

it('pages of links and of the bank can be used', async () => {
  for (const [state, address] of Object.entries(addresses)) {
    const { page } = await browser.open(address, { viewport: PHONE });
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect([state, viewport, await findMisfits(page)]).toEqual([state, viewport, []]);
    }
    // A page is laid out by the width of its screen and coloured by the scheme: neither asks for the other.
    for (const [colorScheme, viewport] of [
      ['light', DESKTOP],
      ['dark', PHONE],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const found = await findAccessibilityProblems(page);
      expect([state, colorScheme, found]).toEqual([state, colorScheme, []]);
    }
    await page.context().close();
  }
});

it.each(ACCENTS)('a page in the colour %s of its studio can be read', async (accentColor) => {
  await setBrand({ accentColor });
  const { page, complaints } = await browser.open(addresses['open'] ?? '', { viewport: PHONE });
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await findAccessibilityProblems(page)]).toEqual([colorScheme, []]);
    const color = await page.evaluate(
      `getComputedStyle(document.querySelector('button')).backgroundColor`,
    );
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(accentColor.slice(at, at + 2), 16));
    expect(color).toBe(`rgb(${red}, ${green}, ${blue})`);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});
