import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Readiness, runProgram, startAdminServer } from '#nest/program';
import { requireUsableRedis } from '#redis';
import { readProjectorConfig } from './config.js';
import { ProjectorLoop } from './projector-loop.js';
import { ProjectorModule } from './projector.module.js';

/** A batch takes milliseconds; events that are not applied by then are applied after the next start. */
const STOP_LIMIT_MS = 1_500;

void runProgram({
  name: 'projector',
  readConfig: readProjectorConfig,
  stopLimitMs: STOP_LIMIT_MS,
  start: async ({ config, log, shutdown }) => {
    await requireUsableRedis(config.redisUrl, { hasQueues: false });
    const module = ProjectorModule.with(config, log, shutdown);
    const app = await NestFactory.createApplicationContext(module, {
      logger: ['error', 'warn', 'fatal'],
      abortOnError: false,
    });
    shutdown.add('projector', () => app.close());
    await startAdminServer(config, app.get(Readiness), shutdown);
    await app.get(ProjectorLoop).start((error) => {
      log.fatal({ err: error }, 'the projector stops');
      void shutdown.stop('it cannot go on').then(() => process.exit(1));
    });
    return {};
  },
});
