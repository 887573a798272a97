import 'reflect-metadata';
import { runProgram } from '#nest/program';
import { startApi } from './application.js';
import { readApiConfig } from './config.js';

void runProgram({
  name: 'api',
  readConfig: readApiConfig,
  start: async ({ config, log, shutdown }) => ({ url: await startApi(config, log, shutdown) }),
});
