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
import { readWorkerConfig } from './config.js';
import { STOP_LIMIT_MS } from './limits.js';
import { WorkerLoops } from './worker-loops.js';
import { WorkerModule } from './worker.module.js';

/** The worker as a program: side effects of events, charges, what is due, webhooks. */
try {
  const config = readWorkerConfig(process.env);
  const log = createLogger('worker', { level: config.logLevel });
  if (config.sandboxInProductionApps === 'trial') {
    log.warn('trial run: production apps, too, can be paid with test cards; no money moves');
  }
  const shutdown = createShutdown({ log, limitMs: STOP_LIMIT_MS });
  stopWithParent(shutdown);
  if (config.adminPort !== undefined) collectProcessMetrics();
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config, log, shutdown), {
    logger: ['error', 'warn', 'fatal'],
    abortOnError: false,
  });
  const loops = app.get(WorkerLoops);
  const { adminPort: port, host } = config;
  const isReady = () => loops.isReady;
  shutdown.add('admin server', await startAdminServer({ port, host, isReady }));
  shutdown.add('worker', () => loops.stop());
  await loops.start();
  log.info('the worker runs');
  reportToParent();
} catch (error) {
  process.stderr.write(
    `subledger worker: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}
