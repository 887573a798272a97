import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Route } from '#nest';
import { createHttpApplication, type LedgerConnection } from '#nest/program';
import { createLogger, wallClock } from '#platform';
import { addHooks } from '../../../apps/storefront/src/application.js';
import { readStorefrontConfig } from '../../../apps/storefront/src/config.js';
import { serveDocument } from '../../../apps/storefront/src/openapi/serve-document.js';
import { StorefrontModule } from '../../../apps/storefront/src/storefront.module.js';

/** The storefront with all of its routes and hooks, for specs that look at those: it is connected to nothing. */
export async function createUnconnectedStorefront(): Promise<{
  app: NestFastifyApplication;
  routes: readonly Route[];
}> {
  const config = readStorefrontConfig({
    EVENTSTOREDB_URL: 'esdb://nowhere:1?tls=false',
    REDIS_URL: 'redis://nowhere',
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    STOREFRONT_URL: 'https://pay.example.com',
  });
  const log = createLogger('spec', { level: 'silent' });
  const stopping = new AbortController().signal;
  // Nothing is asked of these, but to close.
  const ledger = {
    store: { dispose: () => Promise.resolve() },
    ...{ commands: {}, apps: {}, live: {} },
    ...{ clock: wallClock, log, stopping, following: new AbortController() },
    identity: { layoutId: 'layout', partitions: 1 },
  } as unknown as LedgerConnection;
  let found: readonly Route[] = [];
  const app = await createHttpApplication(StorefrontModule.with(ledger, config), {
    ...{ log, stopping },
    addHooks: (fastify, nest, routes) => {
      found = routes;
      addHooks(fastify, nest, config);
    },
  });
  serveDocument(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, routes: found };
}
