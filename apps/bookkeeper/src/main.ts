import 'reflect-metadata';
import path from 'node:path';
import process from 'node:process';
import { NestFactory } from '@nestjs/core';
import { Readiness, runProgram, startAdminServer } from '#nest/program';
import { HANDOVER_KEYS } from '#finance';
import { createSeal, EXIT_BAD_SETTING, type Log, SettingRefused, type Shutdown } from '#platform';
import { requireUsableRedis } from '#redis';
import { type BookkeeperConfig, readBookkeeperConfig } from './config.js';
import { startReportServer } from './finance/report-server.js';
import { SealingLoop } from './sealing-loop.js';
import { BookkeeperModule } from './bookkeeper.module.js';

/** An append takes milliseconds; events that are not sealed by then are sealed after the next start. */
const STOP_LIMIT_MS = 1_500;
/** The program that writes one report, beside this one. */
const REPORT_WRITER = path.join(import.meta.dirname, 'report-writer.js');

void runProgram({
  name: 'bookkeeper',
  readConfig: readBookkeeperConfig,
  stopLimitMs: STOP_LIMIT_MS,
  start: async ({ config, log, shutdown }) => {
    await requireUsableRedis(config.redisUrl, { hasQueues: false });
    await serveReports(config, log, shutdown);
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

/** Each bookkeeper answers, whichever of them seals. */
async function serveReports(
  { bookkeeperPort: port, host, masterKeys }: BookkeeperConfig,
  log: Log,
  shutdown: Shutdown,
): Promise<void> {
  if (port === undefined) return;
  if (masterKeys === undefined) {
    throw new SettingRefused(
      'BOOKKEEPER_PORT is set, and MASTER_KEY is not: set it as the API has it, whose questions are signed by it.',
    );
  }
  const seal = createSeal(masterKeys);
  const keys = () => seal.deriveKeys(HANDOVER_KEYS);
  await startReportServer({ port, host, keys, program: REPORT_WRITER, log, shutdown });
}
