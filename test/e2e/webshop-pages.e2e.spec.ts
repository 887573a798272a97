import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityProblems } from '../support/accessibility.js';
import { useBrowser } from '../support/browser.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { paymentLink, requireOk } from '../support/scenario.js';
import {
  catalogSettings,
  type CatalogServer,
  startCatalogServer,
} from '../support/shop-catalog.js';
import { openShop, type ShopClient, shopLink } from '../support/shop-client.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const SENT = ['VIEW_ITEM', 'LOYALTY_MILESTONE_CLAIMED'];
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
  const endpoint = { url: receiver.url, eventTypes: SENT, accept: '2xx' };
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

  it('shops: what a studio writes is text, and every control is a form', async () => {
    catalog.offer(SWORD, GEMS, CHEST);
    const opened = await browser.enterShop(await link(player), { javaScriptEnabled });
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
  });

  it('claims what is free, once, and signs out', async () => {
    catalog.offer(CHEST);
    const { page, complaints } = await browser.enterShop(await link(`${player}-claims`), {
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
  });

  it('shows why nothing was changed, and what to do where the catalog fails', async () => {
    catalog.offer({ ...GEMS, max_purchasable: 1 });
    const { page } = await browser.enterShop(await link(`${player}-refused`), {
      javaScriptEnabled,
    });
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
  });
});

it('a browser tells which items were in its window, and of others not', async () => {
  const below = Array.from({ length: 40 }, (_, index) => ({ id: `below-${index}` }));
  catalog.offer({ id: 'top' }, ...below);
  const { page, complaints } = await browser.enterShop(await link('browser-views'), {
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
});

const rewards = [{ itemId: 'sword', quantity: 2, type: 'item' }];
const CAMPAIGN = {
  name: 'Winter <b>sale</b>',
  points: [{ currency: 'USD', perMajorUnit: '10' }],
  milestones: [
    { id: 'bronze', points: 50, rewards },
    { id: 'silver', points: 99, rewards: [{ itemId: 'crown', quantity: 1, type: 'skin' }] },
    { id: 'gold', points: 5_000, rewards },
  ],
  ...{ from: '2020-01-01T00:00:00Z', until: '9999-01-01T00:00:00Z', delivery: 'async_webhook' },
};
const pay = (id: string) =>
  ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_ok' });

/** Buys by a payment link of the studio. @returns the order's id. */
async function buyByLink(player: string, price: string): Promise<string> {
  const items = [{ id: 'gems', name: 'Gems', quantity: 1, price }];
  const { id } = await paymentLink(ledger.backend, { player, items });
  return String(requireOk(await pay(id)).body['orderId']);
}

interface Shown {
  readonly points: number;
  readonly milestones: readonly { readonly milestoneId: string; readonly state: string }[];
}
async function readLoyalty(shop: ShopClient): Promise<{ points: number; states: string[] }> {
  const [campaign] = requireOk(await shop.shop()).body['loyalty'] as Shown[];
  const { points = -1, milestones = [] } = campaign ?? {};
  return { points, states: milestones.map(({ state }) => state) };
}

/** rules/loyalty */
describe('points and milestones', () => {
  let campaign: string;

  beforeAll(async () => {
    const path = `/manage/apps/${ledger.appId}/loyalty-campaigns`;
    const { body } = requireOk(await ledger.operator.post(path, CAMPAIGN));
    campaign = `/shop/milestones/${String(body['id'])}`;
  });

  it('come from what is paid anywhere; a milestone is claimed once, and stays so after a refund', async () => {
    catalog.offer({ id: 'sword' });
    const shop = await openShop(ledger.backend, 'collector');
    expect(await readLoyalty(shop)).toEqual({ points: 0, states: ['locked', 'locked', 'locked'] });
    const orderId = await buyByLink('collector', '5.00');
    await eventually(async () => (await readLoyalty(shop)).points === 50);
    expect(refusal(await shop.post(`${campaign}/silver/claim`))).toEqual([
      ...[400, 9, 'MILESTONE_LOCKED'],
    ]);
    const bought = requireOk(await shop.buy('sword', { quantity: 1 }));
    requireOk(await pay(String(bought.body['url']).split('/').at(-1) ?? ''));
    await eventually(async () => (await readLoyalty(shop)).points === 99);
    expect((await readLoyalty(shop)).states).toEqual(['open', 'open', 'locked']);

    const claims = await Promise.all([1, 2, 3].map(() => shop.post(`${campaign}/bronze/claim`)));
    expect(claims.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(claims[0]?.body).toMatchObject({
      ...{ name: CAMPAIGN.name, points: 99 },
      milestones: [{ milestoneId: 'bronze', points: 50, rewards, state: 'claimed' }, {}, {}],
    });
    const formId = randomUUID();
    requireOk(await shop.post(`${campaign}/silver/claim`, { formId }));
    requireOk(await shop.post(`${campaign}/silver/claim`, { formId }));
    const reused = await shop.post(`${campaign}/gold/claim`, { formId });
    expect(refusal(reused)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    expect(refusal(await shop.post('/shop/milestones/loy_none/gold/claim'))).toEqual([
      ...[404, 5, 'LOYALTY_CAMPAIGN_NOT_FOUND'],
    ]);

    const { body: order } = await ledger.backend.get(`/sdk/server/orders/${orderId}`);
    const refunds = `/sdk/server/payments/${String(order['paymentId'])}/refunds`;
    requireOk(await ledger.backend.post(refunds, {}));
    await eventually(async () => (await readLoyalty(shop)).points === 49);
    expect((await readLoyalty(shop)).states).toEqual(['claimed', 'claimed', 'locked']);
    await eventually(() => listClaims('collector').length === 2);
    expect(listClaims('collector')).toEqual([
      { ...{ sequence: 1, milestoneId: 'bronze' }, rewards },
      { ...{ sequence: 2, milestoneId: 'silver' }, rewards: CAMPAIGN.milestones[1]?.rewards },
    ]);
  });

  it.each([
    ['en', true],
    ['ar', false],
  ])(
    'are on the page in %s, with JavaScript: %s, for everybody',
    async (language, javaScriptEnabled) => {
      catalog.offer(SWORD);
      const player = `page-${language}`;
      await buyByLink(player, '5.00');
      const shop = await openShop(ledger.backend, player);
      await eventually(async () => (await readLoyalty(shop)).points === 50);
      const url = await shopLink(ledger.backend, player, { language });
      const { page, complaints } = await browser.enterShop(url, { javaScriptEnabled });
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 390],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        if (javaScriptEnabled) expect(await findAccessibilityProblems(page)).toEqual([]);
      }
      const section = page.locator('.loyalty');
      expect(await section.getByText(CAMPAIGN.name).isVisible()).toBe(true);
      expect(await section.getByRole('progressbar').getAttribute('value')).toBe('50');
      await section.getByRole('button').click();
      await page.waitForURL('**/shop');
      await section.locator('.badge.good').waitFor();
      expect(await section.getByRole('button').count()).toBe(0);
      expect(complaints).toEqual([]);
    },
  );
});

/** The webhooks of a player's claims at the studio's backend. */
function listClaims(player: string) {
  return receiver.received.flatMap(({ bytes, headers }) => {
    const { type, eventData } = JSON.parse(bytes.toString()) as {
      readonly type: string;
      readonly eventData?: Readonly<Record<string, unknown>>;
    };
    const { userId, milestoneId, rewards } = eventData ?? {};
    if (type !== 'LOYALTY_MILESTONE_CLAIMED' || userId !== player) return [];
    return [{ sequence: Number(headers['service-event-sequence']), milestoneId, rewards }];
  });
}
