import 'reflect-metadata';
import { createLogger, createShutdown, reportToParent, stopWithParent } from '#platform';
import { startApi } from './application.js';
import { readApiConfig } from './config.js';

/** The HTTP edge as a program: configuration from the environment, readiness to the log. */
try {
  const config = readApiConfig(process.env);
  const log = createLogger('api', { level: config.logLevel });
  if (config.sandboxInProductionApps === 'trial') {
    log.warn('trial run: production apps, too, can be paid with test cards; no money moves');
  }
  const shutdown = createShutdown({ log });
  stopWithParent(shutdown);
  const url = await startApi(config, log, shutdown);
  log.info({ url }, 'the API listens');
  reportToParent({ url });
} catch (error) {
  process.stderr.write(
    `subledger api: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}
