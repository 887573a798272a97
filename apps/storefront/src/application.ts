import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import {
  connectLedger,
  createHttpApplication,
  endWithLedger,
  listenUntilShutdown,
  Readiness,
  startAdminServer,
} from '#nest/program';
import type { Log, Shutdown } from '#platform';
import { KnownLinks } from './links/known-links.js';
import type { StorefrontConfig } from './config.js';
import { takeForms } from './http/form-body.js';
import { serveDocument } from './openapi/serve-document.js';
import { noteOrigins } from './origin/player-origin.js';
import { admitVisitors } from './shop/session/admit-visitors.js';
import { SessionCookie } from './shop/session/session-cookie.js';
import { ShopSessions } from './shop/session/shop-sessions.js';
import { PlayerStates } from './shop/player-states.js';
import { StorefrontModule } from './storefront.module.js';

/** Scripts and styles, as they are: beside the sources, and at the same place in the build. */
const ASSETS = fileURLToPath(new URL('../assets/', import.meta.url));
/** A new release is seen within this time, without a version in the names of files. */
const ASSETS_MAX_AGE = '5m';

/** Starts the storefront. @returns its address. */
export async function startStorefront(
  config: StorefrontConfig,
  log: Log,
  shutdown: Shutdown,
): Promise<string> {
  const { eventStoreUrl, namespace } = config;
  const connection = await connectLedger({
    eventStoreUrl,
    namespace,
    log,
    stopping: shutdown.signal,
    aggregates: PlayerStates.aggregates,
  });
  endWithLedger(connection, shutdown);
  const app = await createHttpApplication(StorefrontModule.with(connection, config), {
    log,
    stopping: shutdown.signal,
    trustedProxies: config.trustedProxies,
    addHooks: (fastify, storefront) => addHooks(fastify, storefront, config),
  });
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  await fastify.register(fastifyStatic, {
    root: ASSETS,
    prefix: '/assets/',
    maxAge: ASSETS_MAX_AGE,
  });
  serveDocument(app);
  await app.get(KnownLinks).follow(connection);
  const readiness = new Readiness({ eventStore: () => connection.store.ping() });
  await startAdminServer(config, readiness, shutdown);
  return listenUntilShutdown(app, config, shutdown);
}

/** Adds the hooks before the routes. */
export function addHooks(
  fastify: FastifyInstance,
  app: NestFastifyApplication,
  config: StorefrontConfig,
): void {
  takeForms(fastify);
  noteOrigins(fastify, config);
  const anywhere = { strict: false };
  const [sessions, cookie] = [app.get(ShopSessions, anywhere), app.get(SessionCookie, anywhere)];
  admitVisitors(fastify, sessions, cookie);
}
