import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { catalogUnavailable } from '#nest';
import { createFastifyAdapter } from '#nest/program';
import { createLogger, Fault } from '#platform';
import type { Visitor } from '../session/visitor.js';
import { answerShopPages } from './shop-page.route.js';
import type { ShopView } from '../browse/show-shop.js';

const VIEW: ShopView = {
  ...{ rows: [], loyalty: [], cartQuantity: 0, imagesFrom: ['https:'] },
  brand: { name: 'Studio', isTest: true },
  offer: (item) => ({ item, left: 1, isClaimed: false }),
};
const visitor = { appId: 'app_1', csrf: 'token', language: '', regionCode: '' } as Visitor;
let fastify: FastifyInstance;
let show: () => ShopView;

beforeAll(async () => {
  const log = createLogger('spec', { level: 'silent' });
  fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
  fastify.addHook('onRequest', async (request) => {
    Object.assign(request, { visitor, brand: VIEW.brand });
    // Nothing is loaded here.
    request.states = {} as never;
  });
  answerShopPages(fastify, () => ({ execute: async () => show() }), log);
  fastify.get('/shop', async () => 'by the controller');
  fastify.get('/shop/cart', async () => 'by the controller');
  await fastify.ready();
});
afterAll(async () => fastify.close());

const look = (url: string, accept = 'text/html') => fastify.inject({ url, headers: { accept } });

describe('the page of the shop', () => {
  it('is answered to browsers, with what they may do on it', async () => {
    show = () => VIEW;
    const { statusCode, headers, body } = await look('/shop');
    expect([statusCode, body.startsWith('<!doctype html>')]).toEqual([200, true]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain('img-src data: https:;');
    expect(headers['vary']).toBe('accept-language, accept');
  });

  it.each([
    ['/shop', 'application/json'],
    ['/shop?refusal=CART_EMPTY', 'text/html'],
    ['/shop/cart', 'text/html'],
  ])('is left to the controller: %s as %s', async (url, accept) => {
    show = () => VIEW;
    expect((await look(url, accept)).body).toBe('by the controller');
  });

  it('has an error page of the same studio in its place, which leads on in the shop', async () => {
    show = () => {
      throw catalogUnavailable('K7QM-3XZP');
    };
    const { body } = await look('/shop');
    expect(body).toContain('K7QM-3XZP');
    expect(body).toContain('<span class="brand-name">Studio</span>');
    for (const part of ['href="/shop/orders"', 'value="token"', 'href="/assets/shop.css"'])
      expect(body).toContain(part);
  });

  it('is another one where the catalog or the store is away, and a defect has its own answer', async () => {
    const statusAfter = async (thrown: Error) => {
      show = () => {
        throw thrown;
      };
      const { statusCode, headers } = await look('/shop');
      return [statusCode, String(headers['content-type']).split(';')[0]];
    };
    expect(await statusAfter(catalogUnavailable('K7QM-3XZP'))).toEqual([502, 'text/html']);
    const away = new Fault('unavailable', 'away', { retryable: true });
    expect(await statusAfter(away)).toEqual([503, 'text/html']);
    expect(await statusAfter(new Error('a defect'))).toEqual([500, 'application/json']);
  });
});
