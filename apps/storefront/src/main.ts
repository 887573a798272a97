import 'reflect-metadata';
import { runProgram } from '#nest/program';
import { startStorefront } from './application.js';
import { readStorefrontConfig } from './config.js';

void runProgram({
  name: 'storefront',
  readConfig: readStorefrontConfig,
  start: async ({ config, log, shutdown }) => ({
    url: await startStorefront(config, log, shutdown),
  }),
});
