import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, anonymous, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { useLedger } from '../../support/fixture.js';
import { checkoutLink, requireOk } from '../../support/scenario.js';
import { shopLink } from '../../support/shop-client.js';
import { useWebshop } from '../../support/webshop.js';
import { goldenNames } from '../golden-files.js';
import { type OpenApiDocument, openDocument } from './openapi-document.js';
import { recordExample } from './recorded-examples.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
/** The status of each operation's first answer. */
const seen = new Map<string, number>();
const recorded = new Set<string>();
let document: OpenApiDocument;
let storefront: ApiClient;
let campaign: string;
let session: { cookie: string; csrf: string };

beforeAll(async () => {
  const { storefrontUrl } = ledger.standalone.demo;
  document = await openDocument(storefrontUrl);
  storefront = anonymous(storefrontUrl);
  const campaigns = `/manage/apps/${ledger.appId}/loyalty-campaigns`;
  campaign = String(requireOk(await ledger.operator.post(campaigns, CAMPAIGN)).body['id']);
});

/** Calls as a program, and holds the answer to the document. */
async function call(method: string, path: string, body?: object, headers = {}): Promise<Answer> {
  const asked = { accept: 'application/json', ...headers };
  const options = { headers: asked, ...(body !== undefined && { body }) };
  const answer = await storefront.send(method, path, options);
  const operationId = document.check(method, path, answer);
  if (answer.status >= 300) return answer;
  const first = seen.get(operationId) ?? answer.status;
  seen.set(operationId, first);
  const name = first === answer.status ? operationId : `${operationId}.${answer.status}`;
  if (!recorded.has(name)) recordExample(name, options, answer, 'storefront-examples');
  recorded.add(name);
  return answer;
}

const ok = async (...args: Parameters<typeof call>): Promise<Answer> => {
  const answer = await call(...args);
  if (answer.status >= 300) throw new Error(`${args[0]} ${args[1]}: ${answer.text}`);
  return answer;
};

const look = (path: string) => ok('GET', path, undefined, { cookie: session.cookie });
/** Of the session, with a form's id that reads well in an example. */
const change = (path: string, body: object) =>
  call('POST', path, { csrf: session.csrf, ...body }, { cookie: session.cookie });
const changed = async (path: string, body: object) => {
  const answer = await change(path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer;
};

describe('answers of the storefront are as its document says:', () => {
  it('checkouts', async () => {
    const subscribe = async (player: string) =>
      new URL((await checkoutLink(ledger.backend, { plan: 'gold', player })).url).pathname;
    const link = await subscribe('pays');
    const paid = { paymentMethod: 'pm_ok' };
    await call('POST', `${link}/complete`, { paymentMethod: 'pm_decline_do_not_honor' });
    await ok('POST', `${link}/complete`, paid, { 'idempotency-key': 'pays' });
    await ok('POST', `${link}/complete`, paid, { 'idempotency-key': 'pays' });
    await call('POST', '/checkout/cl_none/complete', paid);
    await call('POST', `${link}/complete`, { paymentMethod: 'pm_none' });
    const waits = await subscribe('confirms');
    const card = { paymentMethod: 'pm_authentication_required' };
    const { body } = await ok('POST', `${waits}/complete`, card);
    const { pathname: bank } = new URL(String(body['challengeUrl']));
    await ok('POST', bank, { decision: 'accept' });
    await call('POST', `${waits}/challenge/pay_none`, { decision: 'decline' });
    expect((await ok('POST', `${waits}/complete`, card)).body).toMatchObject({ status: 'active' });
  });

  it('orders of payment links', async () => {
    const items = [{ id: 'gems', name: 'Gems', quantity: 1, price: '4.99' }];
    const order = async () => {
      const body = { items, currency: 'USD', user: { id: 'orders' } };
      const made = requireOk(await ledger.backend.post('/sdk/server/checkout-links', body));
      return new URL(String(made.body['url'])).pathname;
    };
    const canceled = await order();
    expect((await ok('POST', `${canceled}/cancel`)).body).toMatchObject({ status: 'CANCELED' });
    const paid = await order();
    await ok('POST', `${paid}/complete`, { paymentMethod: 'pm_ok', emailMarketingOptIn: true });
    const refused = await call('POST', `${paid}/cancel`);
    expect(refused.text).toContain('"reason":"ORDER_PAID"');
  });

  it('the way into the shop', async () => {
    const { pathname } = new URL(await shopLink(ledger.backend, 'visits'));
    expect((await ok('GET', pathname)).body).toMatchObject({ csrf: '' });
    const entered = await ok('POST', pathname);
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    await call('GET', pathname);
    await call('POST', pathname);
    await call('GET', '/shop');
    session = { cookie, csrf: '' };
    shop.catalog.offer(SWORD, CHEST);
    const { body } = await look('/shop');
    session = { cookie, csrf: String(body['csrf']) };
    await change('/shop/sign-out', { csrf: 'none' });
  });

  it('the shop, its items and claims', async () => {
    await look('/shop/items/sword');
    await call('GET', '/shop/items/none', undefined, { cookie: session.cookie });
    await changed('/shop/views', { itemIds: ['sword'] });
    await changed('/shop/items/chest/claim', { claimId: 'claim-1' });
    await change('/shop/items/chest/claim', { claimId: 'claim-2' });
  });

  it('the cart and its checkout', async () => {
    await changed('/shop/cart/items', { formId: 'form-1', itemId: 'sword', quantity: 2 });
    await look('/shop/cart');
    await change('/shop/cart/items', { formId: 'form-1', itemId: 'sword', quantity: 3 });
    await changed('/shop/cart/items/sword', { formId: 'form-2', quantity: 1 });
    await look('/shop/cart?from=button');
    shop.catalog.offer({ ...SWORD, price: { currency: 'USD', amount: '5.99' } }, CHEST);
    await change('/shop/cart/checkout', { formId: 'form-3' });
    await changed('/shop/cart/checkout', { formId: 'form-4' });
  });

  it('orders of the shop, and what is reached by them', async () => {
    const bought = await changed('/shop/items/sword/buy', { formId: 'form-5', quantity: 1 });
    const { pathname } = new URL(String(bought.body['url']));
    await ok('POST', `${pathname}/complete`, { paymentMethod: 'pm_ok' });
    await look('/shop/orders');
    const isReached = async () => (await look('/shop')).text.includes('"state":"open"');
    await eventually(isReached, { what: 'the milestone' });
    const milestone = `/shop/milestones/${campaign}/bronze/claim`;
    await changed(milestone, { formId: 'form-6' });
    await change('/shop/milestones/loy_none/bronze/claim', { formId: 'form-7' });
  });

  it('a session that ends', async () => {
    await changed('/shop/sign-out', {});
  });

  it('nothing was left out', () => {
    expect(document.operationIds.filter((operationId) => !seen.has(operationId))).toEqual([]);
    expect(goldenNames('storefront-examples').sort()).toEqual([...recorded].sort());
  });
});

/** A picture at the studio's address in examples. */
const image = 'http://127.0.0.1:9/pictures/item.png';
const SWORD = {
  id: 'sword',
  image,
  price: { currency: 'USD', amount: '4.99' },
  max_purchasable: 5,
};
const CHEST = { id: 'chest', image, price: { currency: 'USD', amount: '0.00' } };
const CAMPAIGN = {
  name: 'Winter',
  points: [{ currency: 'USD', perMajorUnit: '10' }],
  milestones: [
    { id: 'bronze', points: 20, rewards: [{ itemId: 'gems', quantity: 2, type: 'item' }] },
  ],
  ...{ from: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z', delivery: 'none' },
};
