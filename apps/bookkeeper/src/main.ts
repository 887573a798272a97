import 'reflect-metadata';
import process from 'node:process';
import { NestFactory } from '@nestjs/core';
import { Readiness, runProgram, startAdminServer } from '#nest/program';
import { EXIT_BAD_SETTING, SettingRefused } from '#platform';
import { requireUsableRedis } from '#redis';
import { readBookkeeperConfig } from './config.js';
import { SealingLoop } from './sealing-loop.js';
import { BookkeeperModule } from './bookkeeper.module.js';

/** An append takes milliseconds; events that are not sealed by then are sealed after the next start. */
const STOP_LIMIT_MS = 1_500;

void runProgram({
  name: 'bookkeeper',
  readConfig: readBookkeeperConfig,
  stopLimitMs: STOP_LIMIT_MS,
  start: async ({ config, log, shutdown }) => {
    await requireUsableRedis(config.redisUrl, { hasQueues: false });
    const module = BookkeeperModule.with(config, log, shutdown);
    const app = await NestFactory.createApplicationContext(module, {
      logger: ['error', 'warn', 'fatal'],
      abortOnError: false,
    });
    shutdown.add('bookkeeper', () => app.close());
    await startAdminServer(config, app.get(Readiness), shutdown);
    await app.get(SealingLoop).start((error) => {
      log.fatal({ err: error }, 'the bookkeeper stops');
      const code = error instanceof SettingRefused ? EXIT_BAD_SETTING : 1;
      const message = error instanceof Error ? error.message : String(error);
      process.stderr.write(`subledger bookkeeper: ${message}\n`);
      void shutdown.stop('it cannot go on').then(() => process.exit(code));
    });
    return {};
  },
});
