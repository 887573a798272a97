/** A worker whose gateway has one slow account: the charges of one card are answered after seconds. */
import 'reflect-metadata';
import process from 'node:process';
import { NestFactory } from '@nestjs/core';
import { createLogger, createShutdown, sleep } from '#platform';
import { readWorkerConfig } from '../../apps/worker/src/config.js';
import type { WorkerConnections } from '../../apps/worker/src/connections.js';
import { CONNECTIONS } from '../../apps/worker/src/tokens.js';
import { WorkerLoops } from '../../apps/worker/src/worker-loops.js';
import { WorkerModule } from '../../apps/worker/src/worker.module.js';
import { wrapGateways } from '../support/wrap-gateways.js';
import { SLOW_ANSWER_MS, SLOW_CARD } from './fairness-load.js';

const config = readWorkerConfig(process.env);
const log = createLogger('worker', { level: config.logLevel });
const shutdown = createShutdown({ log });
const module = await WorkerModule.with(config, log, shutdown);
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
wrapGateways(app.get<WorkerConnections>(CONNECTIONS).gateways, (gateway) => ({
  ...gateway,
  charge: async (asked) => {
    if (asked.paymentMethod === SLOW_CARD) await sleep(SLOW_ANSWER_MS);
    return gateway.charge(asked);
  },
}));
shutdown.add('worker', () => app.close());
await app.get(WorkerLoops).start((error) => {
  log.fatal({ err: error }, 'the worker stops');
  process.exitCode = 1;
});
console.log(JSON.stringify({ program: 'worker', ready: true }));
