import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Log, Shutdown } from '#platform';
import type { AppDirectory } from '#tenancy';
import { Admission } from './auth/admission.js';
import { authenticateFirst } from './auth/authenticate-first.js';
import { AdminModule, ApiModule, RootModule } from './api.module.js';
import type { ApiConfig } from './config.js';
import { compressAnswers } from './http/compression.js';
import { openToPages } from './http/cors.js';
import { closeInOrder, watchActs } from './http/draining.js';
import { ErrorFilter } from './http/error.filter.js';
import { answerUnrouted, collectRoutes, refuseUnrouted } from './http/routes.js';
import { createFastifyAdapter } from './http/server.js';
import { RequestValidationPipe } from './http/validation.js';
import { connectInfrastructure, InfrastructureModule } from './infrastructure.module.js';
import { serveOpenApi } from './openapi/serve-openapi.js';
import { APP_DIRECTORY } from './tokens.js';

/** Starts the API; with ADMIN_PORT, health and metrics on a port of their own. @returns its address. */
export async function startApi(config: ApiConfig, log: Log, shutdown: Shutdown): Promise<string> {
  const infrastructure = InfrastructureModule.with(
    await connectInfrastructure(config, log, shutdown),
  );
  const isShared = config.adminPort === undefined;
  const modules = isShared ? [ApiModule, AdminModule] : [ApiModule];
  const api = await createApplication(RootModule.of(infrastructure, ...modules), log, shutdown);
  await serveOpenApi(api);
  if (!isShared) {
    const admin = await createApplication(
      RootModule.of(infrastructure, AdminModule),
      log,
      shutdown,
    );
    await listen(admin, config.adminPort ?? 0, config.host, shutdown, 'admin');
  }
  const url = await listen(api, config.port, config.host, shutdown, 'http');
  config.listensAt(url);
  return url;
}

async function createApplication(
  module: ReturnType<typeof RootModule.of>,
  log: Log,
  { signal }: Shutdown,
): Promise<NestFastifyApplication> {
  const adapter = createFastifyAdapter(log, signal);
  const routes = collectRoutes(adapter.getInstance());
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: ['error', 'warn', 'fatal'],
    abortOnError: false,
    bodyParser: false,
  });
  const fastify = adapter.getInstance();
  authenticateFirst(fastify, app.get(Admission));
  const apps = app.get<AppDirectory>(APP_DIRECTORY);
  openToPages(fastify, routes, async (appId) => (await apps.find(appId))?.allowedOrigins);
  // After the preflights, which no route takes either.
  refuseUnrouted(fastify, routes, log);
  compressAnswers(fastify);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ErrorFilter(log, answerUnrouted(routes, log)));
  return app;
}

async function listen(
  app: NestFastifyApplication,
  port: number,
  host: string,
  shutdown: Shutdown,
  name: string,
): Promise<string> {
  const fastify = app.getHttpAdapter().getInstance();
  const acts = watchActs(fastify);
  await app.listen(port, host);
  shutdown.add(name, () => closeInOrder(fastify.server, acts, () => app.close()));
  return app.getUrl();
}
