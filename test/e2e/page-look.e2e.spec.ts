import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { findAccessibilityProblems } from '../support/accessibility.js';
import { enterShopOn, useBrowser } from '../support/browser.js';
import { useLedger } from '../support/fixture.js';
import { putTaxRates } from '../support/prices.js';
import { checkoutLink, createPlan, paymentLink, requireOk } from '../support/scenario.js';
import { shopLink } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

/** Pages can be used by everybody, on every screen (rules/storefront 9). */
const ledger = useLedger();
const shop = useWebshop(ledger);
const browser = useBrowser();

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 800 };
const SCHEMES = ['light', 'dark'] as const;
/** Of all colours accent-style.spec.ts knows that they can be read. */
const ACCENT = '#c2410c';

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
/** The same of orders. */
const orders: Record<string, string> = {};

beforeAll(async () => {
  await setBrand({});
  const rates = [{ country: 'US', region: 'NY', rate: '0.08875', inclusive: false }];
  requireOk(await putTaxRates(ledger.operator, ledger.appId, { rates }));
  await createPlan(ledger.operator, ledger.appId, {
    ...{ code: 'trial', trialPeriodValue: '14', trialPeriodUnit: 'day' },
    description: 'All worlds, 500 gems a month, and no advertisements.',
  });
  Object.assign(orders, await makeOrders());
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

const SWORD = {
  ...{ id: 'sword', name: 'Sword of dawn with a rather long name', max_purchasable: 3 },
  expiration_time_seconds: '4102444800',
};
const CHEST = { id: 'chest', price: { currency: 'USD', amount: '0.00' } };
const enter = (language: string, player = `shop-${language}`) =>
  shopLink(ledger.backend, player, { language, regionCode: 'US-NY' });

/** Of a payment link: two items, one with all that a studio can say of it. @returns its address. */
async function makeOrder(price: string): Promise<string> {
  const image = `${shop.catalog.url}/pictures/bow.png`;
  const bow = { id: 'bow', name: 'Bow of yew', quantity: 99, price };
  const items = [{ ...bow, image, description: 'It hits what it is aimed at.' }];
  const more = { regionCode: 'US-NY', returnUrl: 'https://gold.example/' };
  const order = { player: 'link', items: [...items, { ...bow, quantity: 1 }], ...more };
  return (await paymentLink(ledger.backend, order)).url;
}

/** A cart whose item then costs more and of which there may be fewer, and orders by the state that their page has first of all in its name. */
async function makeOrders(): Promise<Record<string, string>> {
  shop.catalog.offer(SWORD, CHEST);
  const visit = await shop.open('shop-en', { regionCode: 'US-NY' });
  requireOk(await visit.add({ itemId: 'sword', quantity: 2 }));
  const bought = requireOk(await visit.buy('sword', { quantity: 1 }));
  const made = {
    'open of a link': await makeOrder('4.99'),
    'open for free': await makeOrder('0'),
    'open of the shop': String(bought.body['url']),
    declined: await makeOrder('4.99'),
    challenged: await makeOrder('4.99'),
    completed: await makeOrder('4.99'),
    expired: await makeOrder('4.99'),
  };
  const idOf = (url: string) => url.split('/').at(-1) ?? '';
  await pay(idOf(made.declined), 'pm_decline_insufficient_funds');
  await pay(idOf(made.challenged), 'pm_authentication_required');
  await pay(idOf(made.completed), 'pm_ok');
  await ledger.backend.post(`/checkout/${idOf(made.expired)}/cancel`, {});
  return made;
}

/**
 * Elements that are wider than the screen, or lower than a finger is wide; the way past the head shows with the focus.
 */
async function findMisfits(page: Page): Promise<unknown> {
  return page.evaluate(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : []),
    ...[...document.querySelectorAll('a:not(.skip), button, label, input:not([type=hidden])')].flatMap((each) => {
      const { height } = (each.closest('label') ?? each).getBoundingClientRect();
      return height >= 44 ? [] : [each.outerHTML];
    }),
  ]`);
}

async function expectFits(state: string, page: Page) {
  for (const viewport of [SMALL_PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect([state, viewport, await findMisfits(page)]).toEqual([state, viewport, []]);
  }
}

/** A page is laid out by the width of its screen and coloured by the scheme: neither asks for the other. */
async function expectAccessible(state: string, page: Page) {
  for (const [colorScheme, viewport] of [
    ['light', DESKTOP],
    ['dark', PHONE],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const found = await findAccessibilityProblems(page);
    expect([state, colorScheme, found]).toEqual([state, colorScheme, []]);
  }
}

it('pages of links and of the bank can be used', async () => {
  for (const [state, address] of Object.entries(addresses)) {
    const { page } = await browser.open(address);
    await expectFits(state, page);
    await expectAccessible(state, page);
    await page.context().close();
  }
});

/** The shop, and an order in every state that its page tells of. */
it('pages of the shop and of orders can be used', async () => {
  const { origin } = new URL(ledger.standalone.demo.storefrontUrl);
  const dearer = { price: { currency: 'USD', amount: '5.49' }, max_purchasable: 1 };
  shop.catalog.offer({ ...SWORD, ...dearer }, CHEST);
  const { page } = await browser.enterShop(await enter('en'));
  const look = async (state: string, address: string, says: RegExp) => {
    if (address !== '') await page.goto(address);
    expect([state, await page.content()]).toEqual([state, expect.stringMatching(says)]);
    await expectFits(state, page);
    await expectAccessible(state, page);
  };
  await look('shop', '', /class="items"/);
  await look('item', `${origin}/shop/items/sword`, /<article/);
  await look('cart', `${origin}/shop/cart`, /(<p class="note bad">[^<]+<\/p>){2}/);
  for (const [state, address] of Object.entries(orders)) {
    await look(`order ${state}`, address, new RegExp(`data-state="${state.split(' ')[0]}"`));
  }
  await look('orders', `${origin}/shop/orders`, /class="order-head"/);
  await look('missing item', `${origin}/shop/items/none`, /shop-nav/);
  shop.catalog.answerWith({ status: 500, body: '' });
  await enterShopOn(page, await enter('en', 'failed'));
  await look('failed catalog', '', /shop-nav/);
  shop.catalog.answerWith(undefined);
  await page.context().clearCookies();
  await look('no session', `${origin}/shop`, /data-state="notice"/);
  await page.route('**/entrance.js', (route) => route.abort());
  await look('entrance', await enter('en'), /data-state="entrance"/);
  await page.context().close();
});

/** A page in another language has the same parts, from right to left. */
it('the shop from right to left fits its screen', async () => {
  const { page } = await browser.enterShop(await enter('ar'));
  await expectFits('shop', page);
  await page.goto(new URL('/shop/items/chest', page.url()).href);
  await expectFits('item', page);
  await page.context().close();
});

it('a page in the colour of its studio can be read', async () => {
  await setBrand({ accentColor: ACCENT });
  const { page, complaints } = await browser.open(addresses['open'] ?? '', { viewport: PHONE });
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await findAccessibilityProblems(page)]).toEqual([colorScheme, []]);
    const color = await page.evaluate(
      `getComputedStyle(document.querySelector('button')).backgroundColor`,
    );
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(ACCENT.slice(at, at + 2), 16));
    expect(color).toBe(`rgb(${red}, ${green}, ${blue})`);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});
