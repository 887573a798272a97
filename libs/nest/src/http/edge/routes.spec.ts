import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastify } from 'fastify';
import { createLogger } from '#platform';
import { answerUnrouted, collectRoutes } from './routes.js';

const app = fastify();

beforeAll(async () => {
  const routes = collectRoutes(app);
  app.get('/plans', async () => 'plans');
  app.get('/plans/:id', async () => 'plan');
  app.post('/plans/:id/archive', async () => 'archived');
  app.delete('/plans/:id', async () => 'deleted');
  app.get('/assets/page.js', async () => 'script');
  app.get('/files/*', (_request, reply) => reply.callNotFound());
  app.setNotFoundHandler(answerUnrouted(routes, createLogger('test', { level: 'silent' })));
  await app.ready();
});

afterAll(async () => app.close());

async function answerTo(method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS', url: string) {
  const answer = await app.inject({ method, url });
  const { code } = answer.json<{ code: number }>();
  return [answer.statusCode, code, answer.headers['allow']];
}

describe('a request that no route takes', () => {
  it.each([
    ['PUT', '/plans', 'GET, HEAD'],
    ['POST', '/plans/x', 'DELETE, GET, HEAD'],
    ['OPTIONS', '/plans/x', 'DELETE, GET, HEAD'],
    ['GET', '/plans/x/archive', 'POST'],
    ['PUT', '/plans?status=active', 'GET, HEAD'],
    ['POST', '/files/a/b', 'GET, HEAD'],
  ] as const)(
    'of the wrong method gets the right ones in its answer: %s %s',
    async (method, url, allow) => {
      expect(await answerTo(method, url)).toEqual([405, 12, allow]);
    },
  );

  it.each([
    ['GET', '/'],
    ['GET', '/plan'],
    ['PUT', '/plansx'],
    ['PUT', '/plans/x/y/z'],
    ['PUT', '/assets/pageXjs'],
    ['GET', '/files/that/is/not/there'],
  ] as const)('of a path that is not there gets that answer: %s %s', async (method, url) => {
    expect(await answerTo(method, url)).toEqual([404, 5, undefined]);
  });
});
