/**
 * The limit that pages of the shop are measured against: Fastify as it comes, one route that asks the same backend for
 * the catalog, reads it as JSON, and sends the finished bytes of a page. No session, no cart, nothing rendered.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import Fastify from 'fastify';
import { request } from 'undici';

const catalog = process.env['CATALOG_URL'] ?? '';
const page = readFileSync(process.env['PAGE_FILE'] ?? '');
const server = Fastify();
server.get('/shop', async (_request, reply) => {
  const { body } = await request(`${catalog}/catalog/player`);
  await body.json();
  return reply.header('content-type', 'text/html; charset=utf-8').send(page);
});
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url, ready: true }));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
