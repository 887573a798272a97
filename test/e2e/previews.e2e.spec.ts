import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { paymentLink, requireOk } from '../support/scenario.js';
import { shopClient } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

/** Chat programs and browsers fetch pages before a player looks at them, or without one. */
const ledger = useLedger();
const shop = useWebshop(ledger);
const browser = useBrowser();
const SWORD = { id: 'sword', price: { currency: 'USD', amount: '4.99' } };
/** The request of the button of the way into the shop. */
const POST = { method: 'POST', body: new URLSearchParams(), redirect: 'manual' } as const;
const PREVIEWS = [{}, { 'user-agent': 'Slackbot-LinkExpanding 1.0' }];
const read = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(url, { headers })).text();
const look = (url: unknown, headers = {}) =>
  read(String(url), { 'sec-fetch-dest': 'document', ...headers });

/** rules/webshop 1 */
describe('a link into the shop', () => {
  it('is used up by no look at it, as chat programs look at links before people do', async () => {
    const { body } = await ledger.backend.post('/sdk/server/webshop-links', {
      ...{ user: { id: 'previewed' }, language: 'de' },
    });
    const { url, expiresAt } = body as { readonly url: string; readonly expiresAt: string };
    for (const headers of PREVIEWS) {
      const page = await fetch(url, { headers });
      const read = ['set-cookie', 'referrer-policy'].map((name) => page.headers.get(name));
      expect([page.status, ...read]).toEqual([200, null, 'no-referrer']);
      const html = await page.text();
      expect(html.match(/<button[^>]*>[^<]*<\/button>/g)).toEqual([
        '<button type="submit">Shop öffnen</button>',
      ]);
      expect(html).toContain(`action="${new URL(url).pathname}" method="post"`);
    }
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const asked = { headers: { accept: 'application/json' } };
    expect(await (await fetch(url, asked)).json()).toEqual({ csrf: '', expiresAt });
    const entered = await fetch(url, { ...POST, ...asked });
    const { csrf } = (await entered.json()) as { readonly csrf: string };
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect([entered.status, csrf]).toEqual([
      200,
      (await shopClient(new URL(url).origin, cookie)).csrf,
    ]);
    expect((await fetch(url, { ...POST, ...asked })).status).toBe(403);
  });
});

/** rules/orders 6 and webshop 7 */
describe('the page of an order', () => {
  const view = 'VIEW_CHECKOUT_PAGE';
  const begun = 'CREATE_PAYMENT_INTENT';
  const isAbout =
    (transactionId: string) =>
    ({ bytes }: { readonly bytes: Buffer }) =>
      bytes.includes(`"transactionId":"${transactionId}"`);
  const makeLink = async (player: string) => {
    const items = [{ id: 'pass', name: 'Pass', quantity: 1, price: '9.99' }];
    const order = { player, items, transactionId: `txn-${player}` };
    return (await paymentLink(ledger.backend, order)).url;
  };

  it('of the shop sends a view when its page is opened to be paid, and not when it is previewed', async () => {
    shop.catalog.offer(SWORD);
    const player = await shop.open('opens', { regionCode: 'DE' });
    const { body } = requireOk(await player.buy('sword', { quantity: 1 }));
    await (await fetch(String(body['url']))).text();
    await look(body['url'], { 'sec-purpose': 'prefetch' });
    await look(body['url']);
    await shop.untilSent('opens', view);
    expect(shop.sentTo('opens', view).map(({ eventData }) => eventData)).toEqual([
      { userId: 'opens', regionCode: 'DE' },
    ]);
    const { pathname } = new URL(String(body['url']));
    requireOk(await ledger.backend.post(`${pathname}/complete`, { paymentMethod: 'pm_ok' }));
    await look(body['url']);
    expect(shop.sentTo('opens', view)).toHaveLength(1);
  });

  it('of a payment link is among the player’s orders, and its page is no view', async () => {
    shop.catalog.offer(SWORD);
    const player = await shop.open('linked');
    const items = [{ id: 'pass', name: 'Pass', quantity: 1, price: '9.99' }];
    await look((await paymentLink(ledger.backend, { player: 'linked', items })).url);
    const bought = requireOk(await player.buy('sword', { quantity: 1 })).body;
    const list = async () => (await player.orders()).body['orders'] as Record<string, unknown>[];
    await eventually(async () => (await list()).length === 2);
    const pass = { id: 'pass', name: 'Pass', quantity: 1, price: '9.99' };
    expect(await list()).toEqual([
      expect.objectContaining({ orderId: bought['orderId'], status: 'OPEN' }),
      expect.objectContaining({ items: [pass], total: '9.99', status: 'OPEN' }),
    ]);
    expect(shop.sentTo('linked', view)).toEqual([]);
  });

  it('is opened once, where a person goes to it, and not where it is previewed', async () => {
    const url = await makeLink('goes');
    for (const headers of PREVIEWS) await read(url, headers);
    const { pathname } = new URL(url);
    expect(shop.sentTo('goes')).toEqual([]);
    await look(url);
    await look(url);
    const opened = await shop.untilSent('goes', begun);
    requireOk(await ledger.backend.post(`${pathname}/complete`, { paymentMethod: 'pm_ok' }));
    const types = () => shop.receiver.received.filter(isAbout('txn-goes')).map(({ type }) => type);
    await shop.receiver.until(() => types().length === 2);
    expect(types()).toEqual([begun, 'PURCHASE_SUCCEEDED']);
    const { transactionId, orderId } = opened[0]?.eventData ?? {};
    const order = requireOk(await ledger.backend.get(`/sdk/server/orders/${String(orderId)}`));
    expect(order.body).toMatchObject({ transactionId, status: 'PAID' });
    expect(transactionId).toBe('txn-goes');
  });

  it('is opened by its script where the browser does not say that a person goes to it', async () => {
    shop.catalog.offer(SWORD);
    const player = await shop.open('scripted');
    const bought = requireOk(await player.buy('sword', { quantity: 1 })).body;
    for (const [url, type] of [
      [await makeLink('runs-scripts'), begun],
      [String(bought['url']), view],
    ] as const) {
      const listSent = () => [
        ...shop.sentTo('runs-scripts', begun),
        ...shop.sentTo('scripted', view),
      ];
      const before = listSent().length;
      const body = await read(url);
      expect(listSent()).toHaveLength(before);
      const { page } = await browser.open(`${new URL(url).origin}/shop`);
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(url);
      await eventually(() => Promise.resolve(listSent().length === before + 1));
      expect(listSent().at(-1)?.type).toBe(type);
      await page.context().close();
    }
  });
});
