import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { requireOk } from '../support/scenario.js';
import {
  catalogSettings,
  type CatalogServer,
  startCatalogServer,
} from '../support/shop-catalog.js';
import { shopLink } from '../support/shop-client.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const LIMIT_MS = 120_000;
const ledger = useLedger();
const browser = useBrowser();
let catalog: CatalogServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  catalog = await startCatalogServer();
  receiver = await startWebhookReceiver();
  const app = `/manage/apps/${ledger.appId}`;
  const settings = { catalog: catalogSettings(catalog) };
  requireOk(await ledger.operator.send('PATCH', app, { body: settings }));
  const endpoint = { url: receiver.url, eventTypes: ['VIEW_ITEM'], accept: '2xx' };
  requireOk(await ledger.operator.post(`${app}/webhook-endpoints`, endpoint));
});
afterAll(async () => {
  await catalog.close();
  await receiver.close();
});

const SCRIPT = '<script>document.title = "taken"</script>';
const SWORD = { id: 'sword', name: `Sword ${SCRIPT}`, description: `"'><img src=x>${SCRIPT}` };
const GEMS = { id: 'gems/100 & more', name: 'Gems', max_purchasable: 3 };
const CHEST = { id: 'chest', name: 'Chest', price: { currency: 'USD', amount: '0.00' } };
const link = (player: string) => shopLink(ledger.backend, player, { regionCode: 'US' });

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a browser %s', (_how, javaScriptEnabled) => {
  const player = `browser-${String(javaScriptEnabled)}`;

  it(
    'shops: what a studio writes is text, and every control is a form',
    async () => {
      catalog.offer(SWORD, GEMS, CHEST);
      const opened = await browser.open(await link(player), { javaScriptEnabled });
      const { page, complaints, outside } = opened;
      expect(new URL(page.url()).pathname).toBe('/shop');
      expect(await page.title()).toBe('Shop');
      expect(await page.getByText(SWORD.description).isVisible()).toBe(true);
      expect(await page.getByRole('heading', { name: 'For you' }).isVisible()).toBe(true);
      const sword = page.locator('[data-item-id="sword"]');
      await sword.getByRole('button', { name: 'Add to cart' }).click();
      await page.waitForURL('**/shop/cart');
      expect(await page.getByText('$4.99').first().isVisible()).toBe(true);
      await page.getByRole('link', { name: 'Back to the shop' }).click();
      await page.getByRole('link', { name: 'Gems' }).click();
      await page.getByLabel('Quantity').fill('2');
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.waitForURL('**/shop/cart');
      expect(await page.getByRole('link', { name: 'Cart, 3 items' }).isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Remove' }).first().click();
      await page.waitForURL('**/shop/cart');
      expect(await page.getByText(SCRIPT).count()).toBe(0);
      expect(outside.every((address) => address.startsWith(`${catalog.url}/pictures/`))).toBe(true);
      expect(outside.length).toBeGreaterThan(0);
      expect(complaints).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'claims what is free, once, and signs out',
    async () => {
      catalog.offer(CHEST);
      const { page, complaints } = await browser.open(await link(`${player}-claims`), {
        javaScriptEnabled,
      });
      await page.getByRole('button', { name: 'Claim' }).click();
      await page.waitForURL('**/shop/items/chest');
      expect(await page.getByText('Claimed', { exact: true }).isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'Claim' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL('**/shop/signed-out');
      expect(complaints).toEqual([]);
      const answer = await page.goto(new URL('/shop', page.url()).href);
      expect(answer?.status()).toBe(401);
      expect(await page.getByText('Open the shop from the game').first().isVisible()).toBe(true);
    },
    LIMIT_MS,
  );

  it(
    'shows why nothing was changed, and what to do where the catalog fails',
    async () => {
      catalog.offer({ ...GEMS, max_purchasable: 1 });
      const { page } = await browser.open(await link(`${player}-refused`), { javaScriptEnabled });
      const add = page.getByRole('button', { name: 'Add to cart' });
      await add.click();
      await page.waitForURL('**/shop/cart');
      await page.goto(new URL('/shop', page.url()).href);
      await add.click();
      await page.waitForURL('**?refusal=QUANTITY_EXCEEDED');
      expect(await page.getByText('That is more than you can buy.').isVisible()).toBe(true);
      catalog.answerWith({ status: 500, body: '' });
      const shop = new URL('/shop', page.url()).href;
      await eventually(async () => (await page.goto(shop))?.status() === 502);
      expect(
        await page.getByText(/tell the support of the game this reference: \w/).isVisible(),
      ).toBe(true);
      catalog.answerWith(undefined);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Shop' }).waitFor();
    },
    LIMIT_MS,
  );
});

it(
  'a browser tells which items were in its window, and of others not',
  async () => {
    const below = Array.from({ length: 40 }, (_, index) => ({ id: `below-${index}` }));
    catalog.offer({ id: 'top' }, ...below);
    const { page, complaints } = await browser.open(await link('browser-views'), {
      viewport: { width: 390, height: 600 },
    });
    const viewed = () =>
      receiver.received
        .map(({ bytes }) => JSON.parse(bytes.toString()) as { eventData: Record<string, string> })
        .filter(({ eventData }) => eventData['userId'] === 'browser-views')
        .map(({ eventData }) => eventData['itemId']);
    await eventually(() => viewed().includes('top'));
    expect(viewed()).not.toContain('below-39');
    await page.locator('[data-item-id="below-39"]').scrollIntoViewIfNeeded();
    await eventually(() => viewed().includes('below-39'));
    expect(complaints).toEqual([]);
  },
  LIMIT_MS,
);
