import { EventEmitter } from 'node:events';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Clock, createLogger, createShutdown, wallClock } from '#platform';
import { readWorkerConfig } from '../../../apps/worker/src/config.js';
import { HeldPartitions } from '../../../apps/worker/src/partitions/held-partitions.js';
import { WorkerLoops } from '../../../apps/worker/src/worker-loops.js';
import { WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { onceWhenDeliveriesBegan } from './when-deliveries-begin.js';
import { holdPendingCharges, holdRefunds } from './pending-charges.js';

export interface RunningWorker {
  /** From now on a charge that is pending stays so, however late it is asked for, until it is let go. */
  holdPendingCharges(): { letGo: () => void };
  /** The same of refunds. */
  holdRefunds(): { letGo: () => void };
  /** The contexts that work on each partition that it holds. */
  partitions(): readonly INestApplicationContext[];
  /** Does something once, when deliveries are in flight and the checkpoint has not moved yet. */
  onceWhenDeliveriesBegan(act: () => Promise<unknown>): void;
  stop(): Promise<void>;
}

/** Starts a worker in this process. Resolves when it works. */
export async function startWorkerHere(
  env: Readonly<Record<string, string>>,
  clock: Clock = wallClock,
): Promise<RunningWorker> {
  const config = readWorkerConfig(env);
  const log = createLogger('worker', { level: config.logLevel });
  const shutdown = createShutdown({ log, signals: new EventEmitter() });
  const module = WorkerModule.with(config, log, shutdown, clock);
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  const loops = app.get(WorkerLoops);
  shutdown.add('worker', () => app.close());
  await loops.start((error) => log.fatal({ err: error }, 'the worker stops'));
  const stop = async () => {
    await shutdown.stop('the test is over');
  };
  return {
    stop,
    holdPendingCharges: () => holdPendingCharges(app),
    holdRefunds: () => holdRefunds(app),
    partitions: () => app.get(HeldPartitions).all,
    onceWhenDeliveriesBegan: (act) => {
      for (const partition of app.get(HeldPartitions).all) onceWhenDeliveriesBegan(partition, act);
    },
  };
}
