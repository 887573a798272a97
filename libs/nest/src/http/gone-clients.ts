import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type OnGone = (request: FastifyRequest) => void;

const listeners = new WeakMap<FastifyInstance, OnGone[]>();

/**
 * Calls for each request whose client went away before its answer was sent, once. Fastify's own hook for
 * that (`onRequestAbort`) is silent when the body has come whole, and `onResponse` never comes: what is kept
 * for a request would stay for ever. The connection's end is what always comes.
 */
export function onGoneClient(fastify: FastifyInstance, onGone: OnGone): void {
  const known = listeners.get(fastify);
  if (known !== undefined) {
    known.push(onGone);
    return;
  }
  const all = [onGone];
  listeners.set(fastify, all);
  const waiting = new WeakMap<Socket, Set<FastifyRequest>>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    listRequests(waiting, request.raw.socket, all).add(request);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    waiting.get(request.raw.socket)?.delete(request);
    done();
  });
}

/** The requests of a connection that are not answered yet; it is listened to once, however many there are. */
function listRequests(
  waiting: WeakMap<Socket, Set<FastifyRequest>>,
  socket: Socket,
  listening: readonly OnGone[],
): Set<FastifyRequest> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const requests = new Set<FastifyRequest>();
  waiting.set(socket, requests);
  socket.once('close', () => {
    for (const request of requests) for (const onGone of listening) onGone(request);
    requests.clear();
  });
  return requests;
}
