import 'reflect-metadata';
import { runProgram } from '#nest/program';
import { requireUsableRedis } from '#redis';
import { startStorefront } from './application.js';
import { readStorefrontConfig } from './config.js';

void runProgram({
  name: 'storefront',
  readConfig: readStorefrontConfig,
  start: async ({ config, log, shutdown }) => {
    await requireUsableRedis(config.redisUrl, { hasQueues: false });
    return { url: await startStorefront(config, log, shutdown) };
  },
});
