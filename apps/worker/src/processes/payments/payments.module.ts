import { Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { CommandExecutor } from '#event-store';
import { createGateways, type PaymentGateways } from '#gateway';
import { type Log, wallClock } from '#platform';
import type { AppDirectory } from '#tenancy';
import type { WorkerConfig } from '../../config.js';
import { JobRunner } from '../../jobs/job-runner.js';
import { openQueue } from '../../jobs/open-queue.js';
import { PAYMENT_JOBS_AT_ONCE, PAYMENT_LOCK_MS } from '../../limits.js';
import type { WorkerKeys } from '../../redis/keys.js';
import {
  APPS,
  COMMANDS,
  CONFIG,
  GATEWAYS,
  KEYS,
  LOG,
  PAYMENT_QUEUE,
  PAYMENT_RUNNER,
  REDIS,
  WORKERS_REDIS,
} from '../../tokens.js';
import { gatewayBackoffMs } from './gateway-backoff.js';
import type { PaymentJobData } from './payment-jobs.js';
import { PaymentProcessor } from './payment.processor.js';

type PaymentQueue = Queue<PaymentJobData>;

/** Charges and refunds at the gateway (decisions 6 and 7). */
@Module({
  providers: [
    {
      provide: PAYMENT_QUEUE,
      useFactory: (redis: Redis, { prefix }: WorkerKeys, log: Log): PaymentQueue =>
        openQueue('payments', redis, prefix, log),
      inject: [REDIS, KEYS, LOG],
    },
    {
      provide: GATEWAYS,
      useFactory: (commands: CommandExecutor, { sandboxInProductionApps }: WorkerConfig) =>
        createGateways({ commands, clock: wallClock, sandboxInProductionApps }),
      inject: [COMMANDS, CONFIG],
    },
    {
      provide: PAYMENT_RUNNER,
      useFactory: createRunner,
      inject: [PAYMENT_QUEUE, WORKERS_REDIS, KEYS, COMMANDS, APPS, REDIS, GATEWAYS, LOG],
    },
  ],
  exports: [PAYMENT_QUEUE, PAYMENT_RUNNER],
})
export class PaymentsModule {}

function createRunner(
  queue: PaymentQueue,
  connection: Redis,
  keys: WorkerKeys,
  commands: CommandExecutor,
  apps: AppDirectory,
  redis: Redis,
  gateways: PaymentGateways,
  log: Log,
): JobRunner<PaymentJobData> {
  const processor = new PaymentProcessor({ commands, gateways, apps, redis, keys });
  return new JobRunner({
    queue,
    redis,
    connection,
    prefix: keys.prefix,
    concurrency: PAYMENT_JOBS_AT_ONCE,
    lockMs: PAYMENT_LOCK_MS,
    backoff: (attemptsMade) => gatewayBackoffMs(attemptsMade, Math.random()),
    process: (job, token) => processor.process(job, token),
    // What is dead stays unsettled: money must not be forgotten, not even with Redis.
    onDead: async () => undefined,
    log,
  });
}
