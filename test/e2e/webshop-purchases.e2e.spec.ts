import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.js';
import { useLedger } from '../support/fixture.js';
import { shopLink } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

/** People buy in the shop with a browser, to the end (rules/webshop 4, rules/orders 2). */
const LIMIT_MS = 120_000;
const ledger = useLedger();
const shop = useWebshop(ledger);
const browser = useBrowser();

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const SWORD = { id: 'sword', name: 'Sword', price: { currency: 'USD', amount: '4.99' } };
const DECLINED = 'pm_decline_insufficient_funds';
const GEMS = { id: 'gems', name: 'Gems', price: { currency: 'USD', amount: '10.00' } };

/** Puts a sword and two pieces of gems into the cart, and checks out. */
async function fillCart(page: Page): Promise<void> {
  const item = page.locator('[data-item-id="sword"]');
  await item.getByRole('button', { name: 'Add to cart' }).click();
  await page.waitForURL('**/shop/cart');
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByRole('link', { name: 'Gems' }).click();
  await page.getByLabel('Quantity').fill('2');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.waitForURL('**/shop/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
}

async function buyNow(page: Page): Promise<void> {
  const item = page.locator('[data-item-id="sword"]');
  await item.getByRole('button', { name: 'Buy now' }).click();
}

const WAYS = {
  Cart: { total: '24.99', begin: fillCart },
  BuyNow: { total: '4.99', begin: buyNow },
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

/** One player's purchase, from the shop's page to the items. */
async function buy(
  source: keyof typeof WAYS,
  card: string,
  viewport: typeof PHONE | typeof DESKTOP,
): Promise<void> {
  const player = `${source}-${card}`;
  const { total, begin } = WAYS[source];
  const url = await shopLink(ledger.backend, player, { regionCode: 'US' });
  const { page, complaints } = await browser.open(url, { viewport });
  await begin(page);
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
  expect(complaints).toEqual([]);
  const [bought] = await untilBought(player);
  expect(bought).toMatchObject({ source, total, userId: player, emailMarketingOptIn: true });
  await page.goto(new URL('/shop/orders', page.url()).href);
  expect(await page.getByText('Paid').isVisible()).toBe(true);
  await page.getByRole('link', { name: /^Cart/ }).click();
  expect(await page.getByText('Your cart is empty').isVisible()).toBe(true);
}

// Three players at once: most of the time is spent on waiting for banks.
it.each([
  ['Cart', [PHONE, DESKTOP, PHONE]],
  ['BuyNow', [DESKTOP, PHONE, DESKTOP]],
] as const)(
  'a purchase by %s is paid in the end: declined at first, late, and without an answer',
  async (source, [first, second, third]) => {
    shop.catalog.offer(SWORD, GEMS);
    await Promise.all([
      buy(source, DECLINED, first),
      buy(source, 'pm_pending', second),
      buy(source, 'pm_timeout', third),
    ]);
  },
  LIMIT_MS,
);

/** What PURCHASE_SUCCEEDED tells of a player, once it has come. */
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
  const open = async () => browser.open(await shopLink(ledger.backend, 'hostile'));

  beforeAll(() => {
    const image = `${shop.catalog.url}/pictures/x.png?q='onerror='window.taken=true'&<script>`;
    shop.catalog.offer({ ...hostile, image });
  });

  it(
    'is text on every page, in every field',
    async () => {
      const { page } = await open();
      const expectText = async () => {
        expect(await page.evaluate(FIND_MARKUP)).toEqual([]);
        expect(await page.getByText(hostile.name).first().isVisible()).toBe(true);
      };
      await expectText();
      expect(await page.getByText(`description ${BREAKOUT}`).isVisible()).toBe(true);
      await page.getByRole('link', { name: hostile.name }).click();
      await page.waitForURL('**/shop/items/**');
      await expectText();
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.waitForURL('**/shop/cart');
      await expectText();
      await page.getByRole('button', { name: 'Checkout' }).click();
      await page.waitForURL('**/checkout/co_*');
      await expectText();
      await page.goto(new URL('/shop/orders', page.url()).href);
      await expectText();
    },
    LIMIT_MS,
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', '//cdn.game.example/x.png'])(
    'is no picture from elsewhere than https: %s',
    async (image) => {
      shop.catalog.offer({ ...hostile, image });
      const { page } = await browser.open(await shopLink(ledger.backend, `picture-${image}`));
      expect(await page.evaluate(FIND_MARKUP)).toEqual([]);
      expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true);
      expect(await page.content()).not.toContain(image);
    },
    LIMIT_MS,
  );
});

/** Scripts that are not ours, attributes that run something, and what a script has left. */
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
