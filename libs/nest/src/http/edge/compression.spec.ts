import { beforeAll, describe, expect, it } from 'vitest';
import { fastify } from 'fastify';
import { compressAnswers } from './compression.js';

const server = fastify();

beforeAll(async () => {
  await compressAnswers(server);
  const long = 'x'.repeat(2000);
  server.get('/page', (request, reply) => {
    void reply.header('etag', 'W/"a"').type('text/html');
    const isKnown = request.headers['if-none-match'] === 'W/"a"';
    return isKnown ? reply.status(304).send() : reply.send(long);
  });
  server.get('/object', (_request, reply) =>
    reply.header('etag', '"7"').type('application/json').send(long),
  );
});

describe('an answer that others may get compressed', () => {
  it.each([
    ['GET', {}],
    ['GET', { 'accept-encoding': 'gzip' }],
    ['GET', { 'if-none-match': 'W/"a"' }],
    ['HEAD', {}],
    ['HEAD', { 'if-none-match': 'W/"a"' }],
  ] as const)('says so to caches: %s %j', async (method, headers) => {
    const answer = await server.inject({ method, url: '/page', headers });
    expect(answer.headers.vary).toBe('accept-encoding');
  });
});

describe('an object with a revision', () => {
  it.each(['GET', 'HEAD'] as const)('goes as it is, with the strong ETag: %s', async (method) => {
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await server.inject({ method, url: '/object', headers });
    expect(answer.headers.etag).toBe('"7"');
    expect(answer.headers).not.toHaveProperty('vary');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });
});
