import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import {
  collectProcessMetrics,
  createLogger,
  createShutdown,
  reportToParent,
  startAdminServer,
  stopWithParent,
} from '#platform';
import { readProjectorConfig } from './config.js';
import { ProjectorLoop } from './projector-loop.js';
import { ProjectorModule } from './projector.module.js';

/** A batch takes milliseconds; what is not applied by then is applied after the next start. */
const STOP_LIMIT_MS = 1_500;

/** The projector as a program: configuration from the environment, events from the store, read models in Redis. */
try {
  const config = readProjectorConfig(process.env);
  const log = createLogger('projector', { level: config.logLevel });
  const shutdown = createShutdown({ log, limitMs: STOP_LIMIT_MS });
  stopWithParent(shutdown);
  if (config.adminPort !== undefined) collectProcessMetrics();
  const app = await NestFactory.createApplicationContext(
    ProjectorModule.with(config, log, shutdown),
    { logger: ['error', 'warn', 'fatal'], abortOnError: false },
  );
  const loop = app.get(ProjectorLoop);
  const { adminPort: port, host } = config;
  const isReady = () => loop.isReady;
  shutdown.add('admin server', await startAdminServer({ port, host, isReady }));
  shutdown.add('projector', () => loop.stopped());
  await loop.start((error) => {
    log.fatal({ err: error }, 'the projector stops');
    void shutdown.stop('it cannot go on').then(() => process.exit(1));
  });
  log.info('the read models are up to date');
  reportToParent();
} catch (error) {
  process.stderr.write(
    `subledger projector: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}
