import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Readiness, runProgram, startAdminServer } from '#nest/program';
import { requireUsableRedis } from '#redis';
import { readWorkerConfig } from './config.js';
import { JOBS_STOP_LIMIT_MS } from './limits.js';
import { WorkerLoops } from './worker-loops.js';
import { WorkerModule } from './worker.module.js';

void runProgram({
  name: 'worker',
  readConfig: readWorkerConfig,
  stopLimitMs: 2 * JOBS_STOP_LIMIT_MS,
  start: async ({ config, log, shutdown }) => {
    await requireUsableRedis(config.redisUrl, { hasQueues: true });
    const module = await WorkerModule.with(config, log, shutdown);
    const app = await NestFactory.createApplicationContext(module, {
      logger: ['error', 'warn', 'fatal'],
      abortOnError: false,
    });
    await startAdminServer(config, app.get(Readiness), shutdown);
    shutdown.add('worker', () => app.close());
    await app.get(WorkerLoops).start((error) => {
      log.fatal({ err: error }, 'the worker stops');
      void shutdown.stop('it cannot go on').then(() => process.exit(1));
    });
    return {};
  },
});
