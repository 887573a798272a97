import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

/** Another process, or this one after its start, is there by then. */
const RETRY_AFTER_MS = 2_000;
/** A client that has sent a part of a request when a stop begins may finish it in this time. */
const UNSENT_LIMIT_MS = 2_000;
const CHECK_EVERY_MS = 50;

/** Requests that are being answered; one that is still being sent is none. */
export type Acts = ReadonlySet<FastifyRequest>;

/** What a request gets that comes over a connection that is still open (rules/running 2). */
export function stoppingRefusal(): ApiError {
  return new ApiError('UNAVAILABLE', {
    reason: 'STOPPING',
    message: 'The service is stopping. Try again: another process, or the next start, answers.',
    headers: { connection: 'close' },
    retryAfterMs: RETRY_AFTER_MS,
  });
}

/** Keeps count of the requests that are being answered. */
export function watchActs(fastify: FastifyInstance): Acts {
  const acts = new Set<FastifyRequest>();
  fastify.addHook('preHandler', (request, _reply, done) => {
    acts.add(request);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    acts.delete(request);
    done();
  });
  return acts;
}

/** Stops listening and answers what has begun. Requests that are never sent whole are not waited for. */
export async function closeInOrder(app: NestFastifyApplication, acts: Acts): Promise<void> {
  const endsAt = performance.now() + UNSENT_LIMIT_MS;
  const server = app.getHttpAdapter().getInstance().server;
  const cut = setInterval(() => {
    if (acts.size === 0 && performance.now() >= endsAt) server.closeAllConnections();
  }, CHECK_EVERY_MS);
  try {
    await app.close();
  } finally {
    clearInterval(cut);
  }
}
