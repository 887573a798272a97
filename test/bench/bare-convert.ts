/**
 * The limit that conversions are measured against: Fastify as it comes, one route that parses the same
 * request and sends the same bytes. No credentials, no prices.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import Fastify from 'fastify';

const answer = readFileSync(process.env['ANSWER_FILE'] ?? '');
const server = Fastify();
server.post('/sdk/server/prices/convert', (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(answer),
);
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url, ready: true }));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
