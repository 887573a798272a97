import { describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { answer, printed } from './answer.js';
import { AnsweringAdapter } from './answering-adapter.js';

/** The sent form of a body. */
async function send(body: object) {
  const adapter = new AnsweringAdapter();
  const fastify: FastifyInstance = adapter.getInstance();
  fastify.get('/', async (_request, reply) => {
    adapter.reply(reply, body, 200);
    return reply;
  });
  const { headers, statusCode, payload } = await fastify.inject('/');
  return [statusCode, headers['content-type'], headers.etag, payload];
}

describe('a body that is printed already', () => {
  it('goes out as the object that it is printed of would', async () => {
    const object = { text: 'ä"\u2028' };
    const json = JSON.stringify(object);
    const sent = [200, 'application/json; charset=utf-8', undefined, json];
    expect(await send(object)).toEqual(sent);
    expect(await send(printed(json))).toEqual(sent);
  });

  it('is given its notes with its text, and not beside it', () => {
    expect(() => answer(printed('{}'), { revision: 7 })).toThrow('with its text');
  });

  it('has notes as others have', async () => {
    const [status, , etag, payload] = await send(printed('{}', { revision: 7 }));
    expect([status, etag, payload]).toEqual([200, '"7"', '{}']);
  });
});
