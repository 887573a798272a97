import { describe, expect, it } from 'vitest';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { requireOk } from '../support/scenario.js';
import { enterShop, shopLink } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
const open = (player: string, more = {}) => shop.open(player, more);
const SWORD = { id: 'sword', price: { currency: 'USD', amount: '4.99' } };
const GEMS = { id: 'gems', price: { currency: 'USD', amount: '10.00' }, max_purchasable: '3' };
const CHEST = { id: 'chest', price: { currency: 'USD', amount: '0.00' } };

/** The request of the page's button. */
const POST = { method: 'POST', body: new URLSearchParams(), redirect: 'manual' } as const;

/** rules/webshop 1 */
describe('a link into the shop', () => {
  it('opens a session once, which no script reads, and which says nothing of the player', async () => {
    shop.catalog.offer(SWORD);
    const { body } = await ledger.backend.post('/sdk/server/webshop-links', {
      user: { id: 'enters', email: 'ann@example.com' },
    });
    const expiresInMs = Date.parse(String(body['expiresAt'])) - Date.now();
    expect(expiresInMs).toBeGreaterThan(290_000);
    expect(expiresInMs).toBeLessThanOrEqual(300_000);
    const url = String(body['url']);
    const entered = await fetch(url, POST);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/shop']);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^shop=[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain('enters');
    const json = { headers: { accept: 'application/json' } };
    for (const asked of [json, { ...POST, ...json }]) {
      const answer = await fetch(url, asked);
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 7 }]);
    }
    for (const again of [await fetch(url, POST), await fetch(url)]) {
      expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
      expect(await again.text()).toContain('Open the shop from the game again');
      expect(again.headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  it('opens one session, however many open it at once', async () => {
    const url = await shopLink(ledger.backend, 'raced');
    const cookies = await Promise.all(Array.from({ length: 8 }, () => enterShop(url)));
    expect(cookies.filter((cookie) => cookie !== '')).toHaveLength(1);
  });

  it('is the same one for the same Idempotency-Key', async () => {
    const body = { user: { id: 'keyed' } };
    const key = { 'idempotency-key': 'shop-1' };
    const [first, again] = [
      requireOk(await ledger.backend.post('/sdk/server/webshop-links', body, key)),
      requireOk(await ledger.backend.post('/sdk/server/webshop-links', body, key)),
    ];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body['expiresAt']).toBe(first.body['expiresAt']);
    expect(await enterShop(String(again.body['url']))).not.toBe('');
    expect(await enterShop(String(first.body['url']))).toBe('');
  });
});

describe('a session of the shop', () => {
  it('is asked for first: without one, a page says where the shop is opened', async () => {
    const origin = new URL(await shopLink(ledger.backend, 'stranger')).origin;
    const page = await fetch(`${origin}/shop`);
    expect([page.status, page.headers.get('www-authenticate')]).toEqual([
      401,
      'Session realm="shop"',
    ]);
    expect(await page.text()).toContain('Open the shop from the game');
    const data = await fetch(`${origin}/shop`, { headers: { accept: 'application/json' } });
    expect([data.status, await data.json()]).toMatchObject([401, { code: 16 }]);
    // Before anything else is judged.
    const post = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${origin}/shop/cart/items`, post)).status).toBe(401);
    for (const cookie of ['shop=', 'shop=x.y.z', `shop=${'a'.repeat(3_000)}`]) {
      expect((await fetch(`${origin}/shop`, { headers: { cookie } })).status).toBe(401);
    }
  });

  it('ends with signing out, also where its cookie was stolen', async () => {
    const player = await open('leaves');
    const { status, headers } = await player.signOut();
    expect([status, headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^shop=; Max-Age=0/),
    ]);
    expect(refusal(await player.shop())).toEqual([401, 16, 'NO_SESSION']);
  });

  it('takes changes from its own forms alone', async () => {
    shop.catalog.offer(SWORD);
    const [player, other] = [await open('forged'), await open('forger')];
    for (const csrf of [undefined, '', 'x', other.csrf]) {
      const sent = { csrf, itemId: 'sword', quantity: 1 };
      const refused = await player.add(sent);
      expect(refusal(refused)).toEqual([403, 7, 'FORM_NOT_OF_SESSION']);
    }
    expect((await player.cart()).body['items']).toEqual([]);
  });
});

/** rules/webshop 3 */
describe('the shop', () => {
  it('shows what the catalog of this player says', async () => {
    shop.catalog.offer(SWORD, GEMS, { ...CHEST, expiration_time_seconds: 4_102_444_800 });
    const player = await open('looks', { language: 'de' });
    const { body } = requireOk(await player.shop());
    expect(body).toEqual({
      csrf: player.csrf,
      rows: [
        { header: 'For you', items: [expect.anything(), expect.anything(), expect.anything()] },
      ],
      cart: { quantity: 0 },
      loyalty: [],
    });
    const [{ items }] = body['rows'] as [{ items: object[] }];
    expect(items).toEqual([
      {
        ...{ id: 'sword', name: 'Item sword', description: 'All about sword' },
        image: `${shop.catalog.url}/pictures/sword.png`,
        price: { currency: 'USD', amount: '4.99' },
        ...{ maxPurchasable: null, expiresAt: null, claimed: false },
      },
      expect.objectContaining({ id: 'gems', maxPurchasable: 3 }),
      expect.objectContaining({ id: 'chest', expiresAt: '2100-01-01T00:00:00.000Z' }),
    ]);
    const asked = shop.catalog.requests.filter(({ playerId }) => playerId === 'looks');
    expect(asked[0]).toEqual({ playerId: 'looks', language: 'de', apiKey: 'studio-key' });
  });

  it('tells of an item that is looked at', async () => {
    shop.catalog.offer(SWORD);
    const player = await open('details', { regionCode: 'DE' });
    const { body } = requireOk(await player.get('/shop/items/sword'));
    expect(body).toEqual({ csrf: player.csrf, item: expect.objectContaining({ id: 'sword' }) });
    expect(refusal(await player.get('/shop/items/none'))).toEqual([404, 5, 'ITEM_NOT_FOUND']);
    const type = 'VIEW_PRODUCT_DETAIL_PAGE';
    await shop.untilSent('details', type);
    expect(shop.sentTo('details', type)).toEqual([
      {
        ...{ type, environment: 'test', sequence: 1 },
        eventData: { userId: 'details', itemId: 'sword', regionCode: 'DE' },
      },
    ]);
  });

  it('shows an error page with a reference where the catalog fails', async () => {
    const player = await open('unlucky');
    shop.catalog.answerWith({ status: 500, body: 'oops' });
    // An answer of some seconds ago is still shown.
    await eventually(async () => (await player.shop()).status !== 200);
    const failed = await player.shop();
    shop.catalog.answerWith(undefined);
    expect(refusal(failed)).toEqual([502, 14, 'CATALOG_UNAVAILABLE']);
    const { metadata } = failed.body.details?.[0] as { metadata: { reference: string } };
    expect(metadata.reference).toMatch(/\w{4}/);
  });
});

/** rules/webshop 6 */
describe('a free item', () => {
  it('is claimed once for a claim, and once in all where the catalog names no number', async () => {
    shop.catalog.offer(CHEST);
    const player = await open('claims');
    const path = '/shop/items/chest/claim';
    const claimed = await Promise.all([1, 2].map(() => player.post(path, { claimId: 'c-1' })));
    expect(claimed.map(({ status, body }) => [status, body])).toEqual([
      [200, { claimId: 'c-1', itemId: 'chest' }],
      [200, { claimId: 'c-1', itemId: 'chest' }],
    ]);
    const again = await player.post(path, { claimId: 'c-2' });
    expect(refusal(again)).toEqual([400, 9, 'QUANTITY_EXCEEDED']);
    const [{ items }] = (await player.shop()).body['rows'] as [{ items: object[] }];
    expect(items).toEqual([expect.objectContaining({ id: 'chest', claimed: true })]);
    await shop.untilSent('claims', 'FREE_ITEM_REDEEMED');
    expect(shop.sentTo('claims', 'FREE_ITEM_REDEEMED').map(({ eventData }) => eventData)).toEqual([
      {
        ...{ timeMillis: expect.any(Number), userId: 'claims', itemId: 'chest' },
        ...{ ipAddress: '127.0.0.1', metadata: {} },
      },
    ]);
  });
});

/** rules/webshop 7 */
describe('what a browser has shown', () => {
  it('is sent once in 100 s for an item, and only where the catalog has it', async () => {
    shop.catalog.offer(SWORD, GEMS);
    const player = await open('views', { regionCode: 'JP' });
    const itemIds = ['sword', 'none', 'sword'];
    expect((await player.view(itemIds)).status).toBe(204);
    expect((await player.view(['sword', 'gems'])).status).toBe(204);
    await shop.untilSent('views', 'VIEW_ITEM', 2);
    expect(shop.sentTo('views', 'VIEW_ITEM').map(({ eventData }) => eventData)).toEqual([
      { userId: 'views', itemId: 'sword', regionCode: 'JP' },
      { userId: 'views', itemId: 'gems', regionCode: 'JP' },
    ]);
  });
});
