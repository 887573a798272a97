/**
 * The part of a benchmark that HTTP itself leaves, as a measure: Fastify as it comes, with one route, which the argument
 * names. No credentials, no decision, nothing rendered.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import Fastify, { type FastifyInstance } from 'fastify';
import { request } from 'undici';
import { connectEventStore } from '#event-store/connect';
import { openRedis } from '#redis';
import { Appends, ownAppend } from './appends.js';

const JSON_TYPE = 'application/json; charset=utf-8';

const ROUTES: Readonly<Record<string, (server: FastifyInstance) => void>> = {
  /** Appends one event in the ledger's own way to the stream that the path names, and sends back its body. */
  append: (server) => {
    const client = connectEventStore(process.env['EVENTSTOREDB_URL'] ?? '');
    const appends = new Appends('bare', ownAppend(client), process.env['APP_ID'] ?? '');
    let n = 0;
    server.post<{ Params: { stream: string }; Body: object }>('/:stream', async (asked, reply) => {
      await appends.appendOne(asked.params.stream, (n += 1));
      return reply.header('content-type', JSON_TYPE).send(asked.body);
    });
  },
  /** Sends the finished bytes which one GET finds in Redis. */
  read: (server) => {
    const redis = openRedis(process.env['REDIS_URL'] ?? '', { gathersWrites: true });
    server.get<{ Params: { key: string } }>('/:key', async (asked, reply) => {
      const bytes = await redis.getBuffer(asked.params.key);
      return reply.header('content-type', JSON_TYPE).send(bytes);
    });
  },
  /** Asks the same backend for the catalog, reads it as JSON, and sends the finished bytes of a page. */
  shop: (server) => {
    const catalog = process.env['CATALOG_URL'] ?? '';
    const page = readFileSync(process.env['PAGE_FILE'] ?? '');
    server.get('/shop', async (_asked, reply) => {
      const { body } = await request(`${catalog}/catalog/player`);
      await body.json();
      return reply.header('content-type', 'text/html; charset=utf-8').send(page);
    });
  },
};

const server = Fastify();
ROUTES[process.argv[2] ?? '']?.(server);
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url, ready: true }));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
