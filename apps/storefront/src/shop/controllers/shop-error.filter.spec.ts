import type { ArgumentsHost } from '@nestjs/common';
import { expect, it } from 'vitest';
import { ApiError, catalogUnavailable } from '#nest';
import { createFastifyAdapter } from '#nest/program';
import { createLogger, Fault } from '#platform';
import type { Visitor } from '../session/visitor.js';
import { ShopErrorFilter } from './shop-error.filter.js';

const log = createLogger('spec', { level: 'silent' });
const TOO_MANY = new ApiError('RESOURCE_EXHAUSTED', {
  ...{ reason: 'TOO_MANY_REQUESTS', message: 'Too many.', retryAfterMs: 30_000 },
});
const TOO_LARGE = new ApiError('RESOURCE_EXHAUSTED', {
  ...{ reason: 'BODY_TOO_LARGE', message: 'Too large.', http: 413 },
});
const AWAY = new Fault('unavailable', 'away', { retryable: true, retryAfterMs: 2_000 });

/** The filter's answer to a player in the shop of a studio. */
async function answerTo(thrown: unknown, accept: string) {
  const fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
  fastify.get('/', (request, reply) => {
    const visitor = { csrf: 'token', language: '', regionCode: '' } as Visitor;
    Object.assign(request, { visitor, brand: { name: 'Studio', isTest: true } });
    const http = { getRequest: () => request, getResponse: () => reply };
    // The filter asks its host for nothing else.
    const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
    new ShopErrorFilter(log).catch(thrown, host);
  });
  const answer = await fastify.inject({ url: '/', headers: { accept } });
  await fastify.close();
  return answer;
}

it.each([
  ['too many changes', TOO_MANY, [429, '30']],
  ['a body that is too large', TOO_LARGE, [413, undefined]],
  ['a part that is away', AWAY, [503, '2']],
  ['a catalog that is away', catalogUnavailable('K7QM-3XZP'), [502, undefined]],
])('an error has the same status as a page and as JSON: %s', async (_, thrown, expected) => {
  for (const accept of ['text/html', 'application/json']) {
    const { statusCode, headers } = await answerTo(thrown, accept);
    expect([statusCode, headers['retry-after']]).toEqual(expected);
    expect(headers['content-type']).toBe(`${accept}; charset=utf-8`);
  }
});

it('a defect is JSON to browsers, too', async () => {
  const { statusCode, headers } = await answerTo(new Error('a defect'), 'text/html');
  expect([statusCode, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8']);
});

it('the page of an error is of the same studio, and leads on in the shop', async () => {
  const { body, headers } = await answerTo(catalogUnavailable('K7QM-3XZP'), 'text/html');
  expect(headers['vary']).toBe('accept, accept-language');
  expect(body).toContain('K7QM-3XZP');
  expect(body).toContain('<span class="brand-name">Studio</span>');
  for (const part of ['href="/shop/orders"', 'value="token"', 'href="/assets/shop.css"'])
    expect(body).toContain(part);
});
