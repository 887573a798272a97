import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useBrowser, type WatchedPage } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { paymentLink, requireOk } from '../support/scenario.js';
import { shopLink } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
const browser = useBrowser();

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
type Screen = typeof PHONE;
/** Chromium's own line for an answer of 400, the status of a declined payment. */
const REFUSED = 'Failed to load resource: the server responded with a status of 400 (Bad Request)';
const SWORD = { id: 'sword', name: 'Sword', price: { currency: 'USD', amount: '4.99' } };
const DECLINED = 'pm_decline_insufficient_funds';
const GEMS = { id: 'gems', name: 'Gems', price: { currency: 'USD', amount: '10.00' } };

/** Enters the shop from the game. */
async function enter(player: string, viewport: Screen): Promise<WatchedPage> {
  const url = await shopLink(ledger.backend, player, { regionCode: 'US' });
  return browser.enterShop(url, { viewport });
}

/** Puts a sword and two pieces of gems into the cart, and checks out. */
async function fillCart(player: string, viewport: Screen): Promise<WatchedPage> {
  const opened = await enter(player, viewport);
  const { page } = opened;
  const item = page.locator('[data-item-id="sword"]');
  await item.getByRole('button', { name: 'Add to cart' }).click();
  await page.waitForURL('**/shop/cart');
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByRole('link', { name: 'Gems' }).click();
  await page.getByLabel('Quantity').fill('2');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.waitForURL('**/shop/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  return opened;
}

/** Leaves the checkout, and finds it again among the player's orders. */
async function buyNow(player: string, viewport: Screen): Promise<WatchedPage> {
  const opened = await enter(player, viewport);
  const { page } = opened;
  const item = page.locator('[data-item-id="sword"]');
  await item.getByRole('button', { name: 'Buy now' }).click();
  await page.waitForURL('**/checkout/co_*');
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('link', { name: 'Checkout' }).click();
  return opened;
}

/** Opens the game's link, and has no session. */
async function openLink(player: string, viewport: Screen): Promise<WatchedPage> {
  const items = [{ id: 'bow', name: 'Bow', quantity: 2, price: '3.50' }];
  const more = { regionCode: 'US', returnUrl: 'http://127.0.0.1:9/game' };
  const { url } = await paymentLink(ledger.backend, { player, items, ...more });
  return browser.open(url, { viewport });
}

const WAYS = {
  Cart: { total: '24.99', begin: fillCart },
  BuyNow: { total: '4.99', begin: buyNow },
  ServicePay: { total: '7.00', begin: openLink },
} as const;

/** Pays by a card of the sandbox; one whose answer is lost is offered to no player, and takes the first one's place. */
async function pay(page: Page, card: string): Promise<void> {
  if ((await page.locator(`input[value="${card}"]`).count()) === 0) {
    await page.evaluate(
      `document.querySelector('input[name="paymentMethod"]').value = ${JSON.stringify(card)}`,
    );
  }
  await page.locator(`input[value="${card}"]`).check();
  await page.getByRole('button', { name: /^Pay/ }).click();
}

/** One player's purchase, from the game to the items. */
async function buy(source: keyof typeof WAYS, card: string, viewport: Screen): Promise<void> {
  const player = `${source}-${card}-${viewport.width}`;
  const { total, begin } = WAYS[source];
  const { page, complaints } = await begin(player, viewport);
  await page.waitForURL('**/checkout/co_*');
  expect(await page.getByText(`$${total}`).first().isVisible()).toBe(true);
  const consent = page.getByLabel('Send me news and offers by e-mail');
  expect(await consent.isChecked()).toBe(false);
  await consent.check();
  await pay(page, card);
  if (card === DECLINED) {
    await page.getByText('The payment was declined, and nothing was charged.').waitFor();
    expect(await page.getByText('insufficient').count()).toBe(0);
    await consent.check();
    await pay(page, 'pm_ok');
  }
  await page.getByText('Your order is paid. Your items are waiting in the game.').waitFor();
  expect(complaints).toEqual(card === DECLINED ? [REFUSED] : []);
  const [bought] = await untilBought(player);
  expect(bought).toMatchObject({ source, total, userId: player, emailMarketingOptIn: true });
  await (source === 'ServicePay' ? expectWayToGame(page) : lookAtOrders(page));
  await page.context().close();
}

async function expectWayToGame(page: Page): Promise<void> {
  const way = page.getByRole('link', { name: 'Back to the game' });
  expect(await way.getAttribute('href')).toMatch(/^http:.*checkout=completed&id=co_/);
}

/** The page of the order leads on. */
async function lookAtOrders(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.waitForURL('**/shop/orders');
  expect(await page.getByText('Paid', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Checkout' }).count()).toBe(0);
  await page.getByRole('link', { name: /^Cart/ }).click();
  expect(await page.getByText('Your cart is empty').isVisible()).toBe(true);
}

it('a purchase is paid in the end, declined at first, late, and without an answer', async () => {
  shop.catalog.offer(SWORD, GEMS);
  // All players at once: most of the time is spent on waiting for banks.
  await Promise.all([
    buy('Cart', DECLINED, PHONE),
    buy('BuyNow', 'pm_timeout', DESKTOP),
    buy('ServicePay', 'pm_pending', PHONE),
  ]);
});

/** PURCHASE_SUCCEEDED of a player, once it has come. */
async function untilBought(player: string): Promise<Record<string, unknown>[]> {
  const list = () =>
    shop.receiver.received.flatMap(({ bytes }) => {
      const { purchaseSucceeded: bought } = JSON.parse(bytes.toString()) as {
        readonly purchaseSucceeded?: Record<string, unknown>;
      };
      return bought?.['userId'] === player ? [bought] : [];
    });
  await shop.receiver.until(() => list().length > 0);
  return list();
}

const SCRIPT = '<script>window.taken = true</script>';
const BREAKOUT = `"'><img src=x onerror="window.taken = true">${SCRIPT}\`\${window.taken = true}`;

/** rules/webshop 3 */
describe('what a studio writes', () => {
  const hostile = {
    id: `id ${BREAKOUT}`,
    name: `name ${BREAKOUT}`,
    description: `description ${BREAKOUT}\n</textarea></style>${SCRIPT}`,
    price: { currency: 'USD', amount: '4.99' },
    max_purchasable: '9',
    expiration_time_seconds: '1924988400',
  };
  const open = async () => browser.enterShop(await shopLink(ledger.backend, 'hostile'));
  let image: string;
  const expectText = async (page: Page) => {
    expect(await page.evaluate(FIND_MARKUP)).toEqual([]);
    expect(await page.getByText(hostile.name).first().isVisible()).toBe(true);
  };
  /** The picture of the item is loaded, from the studio's address. */
  const expectPicture = (page: Page) => eventually(() => page.evaluate<boolean>(ANY_PICTURE));

  beforeAll(() => {
    image = `${shop.catalog.url}/pictures/x.png?q='onerror='window.taken=true'&<script>"`;
    shop.catalog.offer({ ...hostile, image });
  });

  it('is text on every page, in every field', async () => {
    const { page, complaints } = await open();
    await expectText(page);
    expect(await page.getByText(`description ${BREAKOUT}`).isVisible()).toBe(true);
    await page.getByRole('link', { name: hostile.name }).click();
    await page.waitForURL('**/shop/items/**');
    await expectText(page);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.waitForURL('**/shop/cart');
    await expectText(page);
    await page.getByRole('button', { name: 'Checkout' }).click();
    await page.waitForURL('**/checkout/co_*');
    await expectText(page);
    await expectPicture(page);
    await page.goto(new URL('/shop/orders', page.url()).href);
    await expectText(page);
    expect(complaints).toEqual([]);
  });

  it('is text on the page of a payment link, with its picture', async () => {
    const { name, description } = hostile;
    const item = { id: 'hostile', name, description, quantity: 2, price: '4.99' };
    // Another origin than that of the catalog, on the developer's machine as well.
    const picture = image.replace('127.0.0.1', 'localhost');
    const body = {
      items: [{ ...item, image: picture }],
      currency: 'USD',
      user: { id: 'hostile-link' },
    };
    const made = requireOk(await ledger.backend.post('/sdk/server/checkout-links', body));
    const { page, complaints } = await browser.open(String(made.body['url']));
    await expectText(page);
    expect(await page.getByText(`description ${BREAKOUT}`).isVisible()).toBe(true);
    await expectPicture(page);
    expect(complaints).toEqual([]);
  });
});

const ANY_PICTURE = `[...document.images].some((each) => each.naturalWidth > 0)`;

/** Scripts that are not ours, attributes that run something, and the traces of a script. */
const FIND_MARKUP = `[
  ...(window.taken === undefined ? [] : ['a script has run']),
  ...[...document.querySelectorAll('script, iframe, object, embed, style, base')]
    .filter((each) => !each.src || new URL(each.src).origin !== location.origin)
    .map((each) => each.outerHTML),
  ...[...document.querySelectorAll('*')].flatMap((each) =>
    [...each.attributes]
      .filter(({ name, value }) => /^on|^srcdoc$|^style$/i.test(name) || /^\\s*(javascript|data:text)/i.test(value))
      .map(({ name, value }) => each.tagName + ' ' + name + '=' + value),
  ),
]`;
