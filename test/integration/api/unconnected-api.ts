import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Route } from '#nest';
import { createHttpApplication, LedgerModule } from '#nest/program';
import { createLogger, createSeal, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { ApiModule, RootModule } from '../../../apps/api/src/api.module.js';
import { addHooks } from '../../../apps/api/src/application.js';
import { readApiConfig } from '../../../apps/api/src/config.js';
import { HealthModule } from '../../../apps/api/src/health/health.controller.js';
import { ConnectionsModule } from '../../../apps/api/src/connections.module.js';
import { serveOpenApi } from '../../../apps/api/src/openapi/serve-openapi.js';

export const MASTER_KEY = Buffer.alloc(32, 7);

/** The parts that a spec gives the API nevertheless. */
interface Connected {
  readonly env?: NodeJS.ProcessEnv;
  readonly store?: object;
  readonly commands?: object;
}

/** The API with all of its routes and hooks, for specs that look at those: it is connected to nothing else. */
export async function createUnconnectedApi({ env, store, commands = {} }: Connected = {}): Promise<{
  app: NestFastifyApplication;
  routes: readonly Route[];
}> {
  const masterKey = MASTER_KEY;
  const config = readApiConfig({
    EVENTSTOREDB_URL: 'esdb://nowhere:1?tls=false',
    REDIS_URL: 'redis://nowhere',
    MASTER_KEY: masterKey.toString('base64'),
    ...env,
  });
  const log = createLogger('spec', { level: 'silent' });
  const stopping = new AbortController().signal;
  // Nothing is asked of these, but to close.
  const ledger = {
    store: { ...store, dispose: () => Promise.resolve() },
    commands,
    apps: {},
    clock: wallClock,
    log,
    stopping,
    following: new AbortController(),
  } as unknown as Parameters<typeof LedgerModule.with>[0];
  const seal = createSeal(masterKey);
  const secrets = createAppSecrets(seal);
  const connections = {
    readModels: { close: () => Promise.resolve() },
    redis: { disconnect: () => undefined },
    books: {},
    ...{ seal, secrets },
  } as unknown as Parameters<typeof ConnectionsModule.with>[2];
  const modules = [
    LedgerModule.with(ledger, secrets),
    ConnectionsModule.with(config, ledger, connections),
  ];
  let found: readonly Route[] = [];
  const app = await createHttpApplication(RootModule.of(...modules, ApiModule, HealthModule), {
    log,
    stopping,
    addHooks: (fastify, nest, routes) => {
      found = routes;
      addHooks(fastify, nest, routes);
    },
  });
  await serveOpenApi(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, routes: found };
}
