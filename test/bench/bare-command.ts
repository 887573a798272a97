/**
 * The part of appends that HTTP itself leaves, as a measure for commands: Fastify as it comes, one route that appends
 * one event in the ledger's own way to the stream that the path names, and sends back its body. No credentials, no
 * decision, no documents.
 */
import process from 'node:process';
import Fastify from 'fastify';
import { connectEventStore } from '#event-store/connect';
import { Appends, ownAppend } from './appends.js';

const client = connectEventStore(process.env['EVENTSTOREDB_URL'] ?? '');
const appends = new Appends('bare', ownAppend(client), process.env['APP_ID'] ?? '');
const server = Fastify();
let n = 0;
server.post<{ Params: { stream: string }; Body: object }>('/:stream', async (request, reply) => {
  await appends.appendOne(request.params.stream, (n += 1));
  return reply.header('content-type', 'application/json; charset=utf-8').send(request.body);
});
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url, ready: true }));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
