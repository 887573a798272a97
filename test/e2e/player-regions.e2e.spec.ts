import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { badFields } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { putTaxRates } from '../support/prices.js';
import { paymentLink, requireOk } from '../support/scenario.js';
import { enterShop, shopClient, shopLink } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);

/** The keeper's standalone trusts it (test/support/keeper), and no other address of the loopback. */
const PROXY = '127.0.0.2';
const STRANGER = '127.0.0.3';
const PLAYER = '203.0.113.9';
const BY_PROXY = { 'x-country': 'DE', 'x-forwarded-for': `198.51.100.1, ${PLAYER}` };

beforeAll(async () => {
  shop.catalog.offer({ id: 'sword', price: { currency: 'EUR', amount: '11.90' } });
  const rates = [
    { country: 'DE', rate: '0.19', inclusive: true },
    { country: 'FR', rate: '0.20', inclusive: true },
    { country: 'US', region: 'NY', rate: '0.1', inclusive: false },
  ];
  await putTaxRates(ledger.operator, ledger.appId, { rates });
});

const setDefault = async (defaultRegionCode: string) =>
  ledger.operator.send('PATCH', `/manage/apps/${ledger.appId}`, { body: { defaultRegionCode } });

/** One request of a machine of ours at this address, which a proxy and a stranger can be. */
async function sendFrom(
  localAddress: string,
  url: URL | string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) {
  const sent = JSON.stringify(body ?? '');
  const method = body === undefined ? 'GET' : 'POST';
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    const call = request(url, { method, localAddress, headers: { ...type, ...headers } });
    call.once('error', reject).once('response', (answer) => {
      text(answer).then((content) => {
        const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
        resolve(isJson ? (JSON.parse(content) as Record<string, unknown>) : { page: content });
      }, reject);
    });
    call.end(body === undefined ? '' : sent);
  });
}

/** rules/storefront 10, rules/http 12 */
describe('where a player of the shop is', () => {
  const open = async (player: string, more = {}) => {
    const url = await shopLink(ledger.backend, player, more);
    const client = await shopClient(new URL(url).origin, await enterShop(url));
    const { cookie, csrf } = client;
    const ask = (from: string, path: string, body?: object) => {
      const sent = body && { csrf, formId: randomUUID(), ...body };
      const headers = { accept: 'application/json', cookie, ...BY_PROXY };
      return sendFrom(from, new URL(path, url), headers, sent);
    };
    return ask;
  };
  const sword = { itemId: 'sword', quantity: 1 };

  it('a trusted proxy tells, and a stranger does not', async () => {
    const ask = await open('by-proxy');
    expect(await ask(PROXY, '/shop/cart/items', sword)).toMatchObject({ tax: '1.90' });
    expect(await ask(STRANGER, '/shop/cart')).toMatchObject({ tax: '0.00', total: '11.90' });
    await ask(PROXY, '/shop/items/sword');
    await ask(STRANGER, '/shop/items/sword');
    const [changed] = await shop.untilSent('by-proxy', 'MUTATE_CART');
    expect(changed?.eventData).toMatchObject({ regionCode: 'DE', ipAddress: PLAYER });
    const views = await shop.untilSent('by-proxy', 'VIEW_PRODUCT_DETAIL_PAGE', 2);
    expect(views.map(({ eventData }) => eventData['regionCode'])).toEqual(['DE', '']);
  });

  it('the link says before anybody else', async () => {
    const ask = await open('by-link', { regionCode: 'FR' });
    expect(await ask(PROXY, '/shop/cart/items', sword)).toMatchObject({ tax: '1.98' });
  });

  it("else it is the app's own region, which can be taken away again", async () => {
    expect(requireOk(await setDefault('FR')).body).toMatchObject({ defaultRegionCode: 'FR' });
    const ask = await open('by-default');
    await ask(STRANGER, '/shop/cart/items', sword);
    const [changed] = await shop.untilSent('by-default', 'MUTATE_CART');
    expect(changed?.eventData).toMatchObject({ regionCode: 'FR', ipAddress: STRANGER });
    expect(requireOk(await setDefault('')).body).toMatchObject({ defaultRegionCode: '' });
    for (const bad of ['de', 'Germany', 'XX', 'US-', null]) {
      const answer = await ledger.operator.send('PATCH', `/manage/apps/${ledger.appId}`, {
        body: { defaultRegionCode: bad },
      });
      expect(badFields(answer)).toEqual(['defaultRegionCode']);
    }
  });
});

describe('where the player of a payment link without a region is', () => {
  it('its page finds, for the tax that is shown, paid and sent', async () => {
    const items = [{ id: 'gems', name: 'Gems', quantity: 1, price: '11.90' }];
    const order = { player: 'linked', items, currency: 'EUR', transactionId: 'txn-region' };
    const { url } = await paymentLink(ledger.backend, order);
    expect((await sendFrom(STRANGER, url, BY_PROXY))['page']).not.toContain('€1.90');
    expect((await sendFrom(PROXY, url, BY_PROXY))['page']).toContain('€1.90');
    const paid = await sendFrom(PROXY, `${url}/complete`, BY_PROXY, { paymentMethod: 'pm_ok' });
    expect(paid).toMatchObject({ status: 'PAID' });
    await shop.receiver.until((received) =>
      received.some(({ type }) => type === 'PURCHASE_SUCCEEDED'),
    );
    const message = shop.receiver.received.find(({ type }) => type === 'PURCHASE_SUCCEEDED');
    expect(JSON.parse(String(message?.bytes))).toMatchObject({
      purchaseSucceeded: { regionCode: 'DE', ipAddress: PLAYER, tax: '1.90' },
    });
  });
});
