import { describe, expect, it } from 'vitest';
import { type Answer, anonymous } from '../support/api-client.js';
import { badFields } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { checkoutLink, requireOk, seeing } from '../support/scenario.js';
import { enterShop, shopLink } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

/** Names that callers choose, of fields and of parameters. */
const ledger = useLedger();
const shop = useWebshop(ledger);

const pay = async (made: Pick<Answer, 'body'>) => {
  const { url } = made.body as { url: string };
  return requireOk(await anonymous(url).post(`${url}/complete`, { paymentMethod: 'pm_ok' }));
};

/** rules/api 2: a name that every object of JavaScript has is like any other in metadata. */
describe('metadata', () => {
  const names = ['constructor', 'hasOwnProperty', 'prototype', 'toString', 'valueOf', '__x__'];
  const metadata = Object.fromEntries(names.map((name) => [name, `of ${name}`]));

  it('has any names, of a payment link and of its items, until the message and the order', async () => {
    const user = { id: 'names' };
    const items = [{ id: 'sword', name: 'Sword', quantity: 1, price: '4.99', metadata }];
    const body = { items, currency: 'USD', user, metadata };
    const made = await ledger.backend.post('/sdk/server/checkout-links', body);
    const paid = await pay(requireOk(made));
    const { orderId } = paid.body as { orderId: string };
    const order = await ledger.backend.get(`/sdk/server/orders/${orderId}`, seeing(paid));
    expect(requireOk(order).body['items']).toEqual([expect.objectContaining({ metadata })]);
    const sent = () => shop.receiver.received.filter(({ bytes }) => bytes.includes('of toString'));
    await eventually(() => sent().length >= 2, { what: 'the messages' });
    for (const { bytes, type } of sent()) {
      const message = JSON.stringify(JSON.parse(bytes.toString()));
      expect([type, message.includes(JSON.stringify(metadata))]).toEqual([type, true]);
    }
  });

  it('has any names, of a subscription, and never that of a prototype', async () => {
    const link = { plan: 'gold', player: 'names-subscribed' };
    await pay({ body: await checkoutLink(ledger.backend, { ...link, metadata }) });
    const sent = () =>
      shop.receiver.received.find(
        ({ type, bytes }) => type === 'payment.succeeded' && bytes.includes('names-subscribed'),
      );
    await eventually(() => sent() !== undefined, { what: 'the message' });
    expect(sent()?.data['metadata']).toEqual(metadata);
    const body = `{"plan":{"code":"gold"},"currency":"USD","user":{"id":"names"},"metadata":{"__proto__":"a"}}`;
    const refused = await ledger.backend.send('POST', '/sdk/subscriptions/checkout-links', {
      body,
    });
    expect(badFields(refused)).toEqual(['metadata.__proto__']);
  });
});

/** rules/webshop 2 */
describe('a query parameter that a call of the shop does not have', () => {
  it('is refused where a program asks, beside what else is wrong', async () => {
    shop.catalog.offer({ id: 'sword' });
    const player = await shop.open('misspells');
    for (const path of ['/shop', '/shop/cart', '/shop/orders', '/shop/items/sword']) {
      requireOk(await player.get(path));
      const refused = await player.get(`${path}?fron=button&refusal=CART_EMPTY`);
      expect([path, badFields(refused)]).toEqual([path, ['fron', 'refusal']]);
    }
    requireOk(await player.get('/shop/cart?from=button'));
    const both = await player.post('/shop/cart/items?x=1', { itemId: 'sword', quantity: 0 });
    expect(badFields(both)).toEqual(['quantity', 'x']);
    expect((await player.cart()).body['items']).toEqual([]);
    const entering = await shopLink(ledger.backend, 'misspells');
    const headers = { accept: 'application/json' };
    expect((await fetch(`${entering}?x=1`, { headers })).status).toBe(400);
    expect(await enterShop(`${entering}?utm_source=mail`)).not.toBe('');
  });

  it('opens a page all the same, as trackers add theirs to addresses', async () => {
    const { cookie } = await shop.open('tracked');
    const { storefrontUrl } = ledger.standalone.demo;
    for (const path of ['/shop', '/shop/cart', '/shop/orders', '/shop/items/sword']) {
      const address = `${storefrontUrl}${path}?utm_source=mail&constructor=x`;
      const page = await fetch(address, { headers: { accept: 'text/html', cookie } });
      expect([path, page.status]).toEqual([path, 200]);
    }
  });
});
