import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { APP_DIRECTORY, type Route } from '#nest';
import {
  createHttpApplication,
  listenUntilShutdown,
  Readiness,
  startAdminServer,
} from '#nest/program';
import type { Log, Shutdown } from '#platform';
import type { AppDirectory } from '#tenancy';
import { ApiModule, RootModule } from './api.module.js';
import { Admission, authenticateFirst } from './auth/admission.js';
import type { ApiConfig } from './config.js';
import { HealthModule } from './health/health.controller.js';
import { openToPages } from './http/cors.js';
import { redirectToStorefront } from './http/redirect-to-storefront.js';
import { openConnections } from './connections.module.js';
import { serveOpenApi } from './openapi/serve-openapi.js';
import { CONFIG } from './tokens.js';

/** Starts the API; with ADMIN_PORT, health and metrics on a port of their own. @returns its address. */
export async function startApi(config: ApiConfig, log: Log, shutdown: Shutdown): Promise<string> {
  const connections = await openConnections(config, log, shutdown);
  const health = config.adminPort === undefined ? [HealthModule] : [];
  const root = RootModule.of(...connections, ApiModule, ...health);
  const options = { log, stopping: shutdown.signal, addHooks };
  const app = await createHttpApplication(root, options);
  await serveOpenApi(app);
  await startAdminServer(config, app.get(Readiness), shutdown);
  return listenUntilShutdown(app, config, shutdown);
}

export function addHooks(
  fastify: FastifyInstance,
  app: NestFastifyApplication,
  routes: readonly Route[],
): void {
  redirectToStorefront(fastify, app.get<ApiConfig>(CONFIG).storefrontUrl);
  authenticateFirst(fastify, app.get(Admission));
  const apps = app.get<AppDirectory>(APP_DIRECTORY);
  openToPages(fastify, routes, async (appId) => (await apps.find(appId))?.allowedOrigins);
}
