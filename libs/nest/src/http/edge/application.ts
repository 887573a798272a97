import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Log, Shutdown, TrustedProxies } from '#platform';
import { watchActs } from './acts.js';
import { compressAnswers } from './compression.js';
import { closeInOrder } from './draining.js';
import { ErrorFilter } from './error.filter.js';
import { watchRequests } from './request-watch.js';
import { answerUnrouted, collectRoutes, refuseUnrouted, type Route } from './routes.js';
import { createFastifyAdapter } from './server.js';
import { RequestValidationPipe } from '../body/validation.js';

interface HttpApplicationOptions {
  readonly log: Log;
  /** Aborted when a stop begins: requests are refused from then on. */
  readonly stopping: AbortSignal;
  /** Which proxies are believed where a request came from; none unless told (rules/http 12). */
  readonly trustedProxies?: TrustedProxies;
  /**
   * Adds the program's own hooks, such as those that authenticate. They run behind the limits, and
   * before requests that no route takes are refused.
   */
  readonly addHooks?: (
    fastify: FastifyInstance,
    app: NestFastifyApplication,
    routes: readonly Route[],
  ) => void;
}

/** A Nest application on Fastify with the common parts of our HTTP programs: limits, error bodies, validation. */
export async function createHttpApplication(
  module: DynamicModule,
  { log, stopping, addHooks, trustedProxies }: HttpApplicationOptions,
): Promise<NestFastifyApplication> {
  const adapter = createFastifyAdapter(log, stopping, undefined, trustedProxies);
  const fastify: FastifyInstance = adapter.getInstance();
  const routes = collectRoutes(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: ['error', 'warn', 'fatal'],
    abortOnError: false,
    bodyParser: false,
  });
  watchRequests(fastify, log);
  addHooks?.(fastify, app, routes);
  refuseUnrouted(fastify, routes, log);
  await compressAnswers(fastify);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ErrorFilter(log, answerUnrouted(routes, log)));
  return app;
}

/**
 * Listens until the shutdown, which answers requests that have begun and then runs the life-cycle hooks.
 *
 * @returns the address. @throws when the port is taken.
 */
export async function listenUntilShutdown(
  app: NestFastifyApplication,
  { port, host }: { readonly port: number; readonly host: string },
  shutdown: Shutdown,
): Promise<string> {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const acts = watchActs(fastify);
  await app.listen(port, host);
  shutdown.add('http', () => closeInOrder(fastify.server, acts, () => app.close()));
  return app.getUrl();
}
