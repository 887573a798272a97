import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A request from its head on until its answer is written and its body is here, or its client is gone. */
export interface Act {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** When its answer began, in milliseconds of `performance.now()`. */
  answeredAt: number | undefined;
  /** Whether its whole answer is written; a body may still be on its way then. */
  isWritten: boolean;
  /** Until when its body must be here, in milliseconds of `performance.now()`. */
  bodyDueAt: number | undefined;
}

type OnGone = (request: FastifyRequest) => void;

const watched = new WeakMap<FastifyInstance, Acts>();
/**
 * The acts of each connection, oldest first. They are arrays on purpose: a Map or Set into which every request
 * goes is soon full, V8 links its old table to the new one, and by that chain requests that are long answered
 * survive one collection of garbage after the other (docs/performance.md).
 */
const byConnection = new WeakMap<Duplex, Act[]>();

/** The requests that a server is working on. */
export class Acts {
  readonly #connections = new Set<readonly Act[]>();
  readonly #onGone: OnGone[] = [];

  /**
   * Calls for each request whose client went away before its answer was written, once. Fastify's own hook for that
   * (`onRequestAbort`) is silent when the body has come whole, and `onResponse` never comes: the memory of a request
   * would stay for ever. The connection's end always comes.
   */
  onGone(listener: OnGone): void {
    this.#onGone.push(listener);
  }

  *[Symbol.iterator](): Iterator<Act> {
    for (const acts of this.#connections) yield* acts;
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw;
    const acts = byConnection.get(socket) ?? this.#listen(socket);
    acts.push({ request, reply, answeredAt: undefined, isWritten: false, bodyDueAt: undefined });
  }

  find(request: FastifyRequest): Act | undefined {
    return byConnection.get(request.raw.socket)?.find((act) => act.request === request);
  }

  /** Notes that the whole answer is written. A client that sends a body all the same is watched until that has come. */
  finish(request: FastifyRequest): void {
    const act = this.find(request);
    if (act === undefined) return;
    act.isWritten = true;
    if (request.raw.complete) this.forget(act);
  }

  forget(act: Act): void {
    const acts = byConnection.get(act.request.raw.socket) ?? [];
    const at = acts.indexOf(act);
    if (at >= 0) acts.splice(at, 1);
  }

  /** A connection is listened to once, however many requests come over it. */
  #listen(socket: Duplex): Act[] {
    const acts: Act[] = [];
    byConnection.set(socket, acts);
    this.#connections.add(acts);
    socket.once('close', () => {
      this.#connections.delete(acts);
      for (const { request, isWritten } of acts.splice(0)) {
        if (!isWritten) for (const onGone of this.#onGone) onGone(request);
      }
    });
    return acts;
  }
}

/** The acts of a server; its first call must come before any other hook, since that may refuse a request. */
export function watchActs(fastify: FastifyInstance): Acts {
  const known = watched.get(fastify);
  if (known !== undefined) return known;
  const acts = new Acts();
  watched.set(fastify, acts);
  fastify.addHook('onRequest', (request, reply, done) => {
    acts.begin(request, reply);
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    const act = acts.find(request);
    if (act !== undefined) act.answeredAt = performance.now();
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    acts.finish(request);
    done();
  });
  return acts;
}

/** The answers that a connection still owes to requests which have come whole. */
export function listOwed(socket: Duplex): FastifyReply[] {
  const acts = byConnection.get(socket) ?? [];
  return acts
    .filter(({ request, isWritten }) => request.raw.complete && !isWritten)
    .map(({ reply }) => reply);
}
