import { describe, expect, it } from 'vitest';
import { type CreatedOrder, orderAggregate, type OrderItem } from '#domain/order';
import { renderOrderPage } from './render-page.js';
import { speaking } from './spec-support/link-page.js';

const EVIL = `"><script>alert('1')</script>&`;
const NOW = '2026-01-31T10:00:00.000Z';
const EXPIRES = '2026-02-01T10:00:00.000Z';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const sword: OrderItem = {
  ...{ itemId: 'sword', name: 'Sword', description: 'Cuts well.' },
  ...{ image: 'https://cdn.example/sword.png', quantity: 1234, price: usd('100') },
};

function order(changes: Partial<CreatedOrder> = {}): CreatedOrder {
  const { initialState, evolve } = orderAggregate.decider;
  const made = evolve(initialState, {
    type: 'order.created.v1',
    data: {
      ...{ orderId: 'ord_1', appId: 'app_1', player: '5f00', source: 'ServicePay', cartId: '' },
      ...{ transactionId: 'txn-1', checkoutLinkId: 'co_1', items: [sword] },
      quote: { amount: usd('123400'), tax: null, regionCode: '' },
      ...{ regionCode: '', language: '', returnUrl: '', personal: {} },
      ...{ createdAt: NOW, expiresAt: EXPIRES, wallExpiresAt: EXPIRES },
    },
  });
  if (made.status === 'none') throw new Error('no order was made');
  return { ...made, ...changes };
}

const html = (changes: Partial<CreatedOrder> = {}, language = 'en', region = 'US') => {
  const shown = order(changes);
  return renderOrderPage({
    ...{ ...speaking(language, region), order: shown, quote: shown.quote, imagesFrom: [] },
    ...{ brand: { name: 'Studio', isTest: true }, now: NOW, wallNow: NOW, attemptKey: 'form-1' },
  }).html;
};

/** rules/orders 2 */
describe('the items of an order', () => {
  it('are shown with their pictures and what the studio says of them', () => {
    const page = html();
    expect(page).toContain('<img src="https://cdn.example/sword.png" alt=""');
    expect(page).toContain('Cuts well.');
    const [bare] = [{ ...sword, image: '', description: '' }];
    expect(html({ items: [bare] })).not.toMatch(/<img|class="terms description"/);
  });

  it('are counted with the digits that prices have', () => {
    expect(html()).toContain('<bdi>Sword</bdi> × 1,234');
    expect(html({}, 'ar', 'EG')).toContain('<bdi>Sword</bdi> × ١٬٢٣٤');
  });

  it('are text, whatever a studio writes', () => {
    const image = 'https://cdn.example/x.png?q="onerror="alert(1)';
    const page = html({ items: [{ ...sword, name: EVIL, description: EVIL, image }] });
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('"onerror=');
  });
});

describe('the page of an order', () => {
  const paid = { status: 'PAID', paidAt: NOW } as const;
  const canceled = { status: 'CANCELED' } as const;
  const links = (page: string) => [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, at]) => at);

  it.each(['Cart', 'BuyNow'] as const)('of %s leads on in the shop', (source) => {
    expect(links(html({ source }))).toEqual(['/shop']);
    for (const over of [paid, canceled, { status: 'FAILED' } as const]) {
      expect(links(html({ source, ...over }))).toEqual(['/shop', '/shop/orders']);
    }
  });

  it('of a payment link leads back to the game, where the studio has told the way', () => {
    const returnUrl = 'https://game.example/';
    expect([links(html()), links(html(paid))]).toEqual([[], []]);
    const back = (checkout: string) => `${returnUrl}?checkout=${checkout}&amp;id=co_1`;
    expect(links(html({ returnUrl }))).toEqual([back('canceled')]);
    expect(links(html({ returnUrl, ...paid }))).toEqual([back('completed')]);
  });

  it('is sent by the script, which says in the language of the page that it waits', () => {
    expect(html()).toContain('<form id="checkout" data-asking="One moment');
    expect(html({}, 'de', 'DE')).toContain('data-asking="Einen Moment');
  });

  it('says that an order was given back', () => {
    expect(html(paid)).toContain('Your order is paid.');
    expect(html({ ...paid, status: 'REFUNDED' })).toContain('Your order was refunded');
  });
});
