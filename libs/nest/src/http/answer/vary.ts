import type { FastifyReply } from 'fastify';

/** Adds a request header by which the answer was chosen, so that caches keep the answers apart. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`);
}
