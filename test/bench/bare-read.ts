/**
 * The limit that reads are measured against: Fastify as it comes, one route that sends the finished bytes
 * which one GET finds in Redis. No credentials, no documents.
 */
import process from 'node:process';
import Fastify from 'fastify';
import { openRedis } from '#redis';

const redis = openRedis(process.env['REDIS_URL'] ?? '', { gathersWrites: true });
const server = Fastify();
server.get<{ Params: { key: string } }>('/:key', async (request, reply) => {
  const bytes = await redis.getBuffer(request.params.key);
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
});
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url, ready: true }));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
