import 'reflect-metadata';
import { runProgram } from '#nest/program';
import { requireUsableRedis } from '#redis';
import { startApi } from './application.js';
import { readApiConfig } from './config.js';

void runProgram({
  name: 'api',
  readConfig: readApiConfig,
  start: async ({ config, log, shutdown }) => {
    await requireUsableRedis(config.redisUrl, { hasQueues: true });
    return { url: await startApi(config, log, shutdown) };
  },
});
