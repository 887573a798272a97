import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import {
  APP_DIRECTORY,
  createHttpApplication,
  listenUntilShutdown,
  Readiness,
  type Route,
  startAdminServer,
} from '#nest';
import type { Log, Shutdown } from '#platform';
import type { AppDirectory } from '#tenancy';
import { ApiModule, HealthModule, RootModule } from './api.module.js';
import { Admission } from './auth/admission.js';
import { authenticateFirst } from './auth/authenticate-first.js';
import type { ApiConfig } from './config.js';
import { openToPages } from './http/cors.js';
import { connectInfrastructure } from './infrastructure.module.js';
import { serveOpenApi } from './openapi/serve-openapi.js';

/** Starts the API; with ADMIN_PORT, health and metrics on a port of their own. @returns its address. */
export async function startApi(config: ApiConfig, log: Log, shutdown: Shutdown): Promise<string> {
  const infrastructure = await connectInfrastructure(config, log, shutdown.signal);
  const health = config.adminPort === undefined ? [HealthModule] : [];
  const root = RootModule.of(...infrastructure, ApiModule, ...health);
  const options = { log, stopping: shutdown.signal, addHooks };
  const app = await createHttpApplication(root, options);
  await serveOpenApi(app);
  await startAdminServer(config, app.get(Readiness), shutdown);
  const url = await listenUntilShutdown(app, config, shutdown);
  config.listensAt(url);
  return url;
}

export function addHooks(
  fastify: FastifyInstance,
  app: NestFastifyApplication,
  routes: readonly Route[],
): void {
  authenticateFirst(fastify, app.get(Admission));
  const apps = app.get<AppDirectory>(APP_DIRECTORY);
  openToPages(fastify, routes, async (appId) => (await apps.find(appId))?.allowedOrigins);
}
