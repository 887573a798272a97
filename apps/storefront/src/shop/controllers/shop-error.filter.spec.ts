import { expect, it } from '@jest/globals';
import { ApiError } from '#nest';
import { createFastifyAdapter } from '#nest/program';
import { createLogger, Fault } from '#platform';
import { answerShopError } from './shop-error.filter.js';

const log = createLogger('spec', { level: 'silent' });
const TOO_MANY = new ApiError('RESOURCE_EXHAUSTED', {
  ...{ reason: 'TOO_MANY_REQUESTS', message: 'Too many.', retryAfterMs: 30_000 },
});
const TOO_LARGE = new ApiError('RESOURCE_EXHAUSTED', {
  ...{ reason: 'BODY_TOO_LARGE', message: 'Too large.', http: 413 },
});
const AWAY = new Fault('unavailable', 'away', { retryable: true, retryAfterMs: 2_000 });

it.each([
  ['too many changes', TOO_MANY, [429, '30']],
  ['a body that is too large', TOO_LARGE, [413, undefined]],
  ['a part that is away', AWAY, [503, '2']],
])('an error has the same status as a page and as JSON: %s', async (_, thrown, expected) => {
  const fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
  fastify.get('/', (request, reply) => answerShopError(thrown, request, reply, log));
  for (const accept of ['text/html', 'application/json']) {
    const { statusCode, headers } = await fastify.inject({ url: '/', headers: { accept } });
    expect([statusCode, headers['retry-after']]).toEqual(expected);
    expect(headers['content-type']).toBe(`${accept}; charset=utf-8`);
  }
  await fastify.close();
});
