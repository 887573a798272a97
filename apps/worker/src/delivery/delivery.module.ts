import { Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createEgressAgent } from '#egress';
import { createSeal, type Log, type Shutdown } from '#platform';
import { type AppDirectory, createAppSecrets } from '#tenancy';
import { delayBeforeAttempt } from '#webhooks';
import type { WorkerConfig } from '../config.js';
import { JobRunner } from '../jobs/job-runner.js';
import { openQueue } from '../jobs/open-queue.js';
import { DELIVERIES_AT_ONCE, DELIVERY_LOCK_MS } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import {
  APPS,
  CONFIG,
  DELIVERY_QUEUE,
  DELIVERY_RUNNER,
  KEYS,
  LOG,
  REDIS,
  SHUTDOWN,
  WORKERS_REDIS,
} from '../tokens.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { Lines } from './subject-queue.js';
import type { DeliveryJobData } from './delivery-job.js';
import { Outbox } from './outbox.js';
import { DeliveryFailed } from './send.js';

type DeliveryQueue = Queue<DeliveryJobData>;

/** From a message to every endpoint that wants to hear of it (decisions 8). */
@Module({
  providers: [
    {
      provide: DELIVERY_QUEUE,
      useFactory: (redis: Redis, { prefix }: WorkerKeys, log: Log): DeliveryQueue =>
        openQueue('webhooks', redis, prefix, log),
      inject: [REDIS, KEYS, LOG],
    },
    {
      provide: Lines,
      useFactory: (redis: Redis, keys: WorkerKeys) => new Lines(redis, keys),
      inject: [REDIS, KEYS],
    },
    {
      provide: Outbox,
      useFactory: (queue: DeliveryQueue, lines: Lines, apps: AppDirectory) =>
        new Outbox({ queue, lines, apps }),
      inject: [DELIVERY_QUEUE, Lines, APPS],
    },
    {
      provide: DeliveryProcessor,
      useFactory: createProcessor,
      inject: [DELIVERY_QUEUE, Lines, APPS, CONFIG, LOG, SHUTDOWN],
    },
    {
      provide: DELIVERY_RUNNER,
      useFactory: createRunner,
      inject: [DELIVERY_QUEUE, REDIS, WORKERS_REDIS, KEYS, DeliveryProcessor, LOG],
    },
  ],
  exports: [Outbox, DELIVERY_RUNNER],
})
export class WebhooksModule {}

function createProcessor(
  queue: DeliveryQueue,
  lines: Lines,
  apps: AppDirectory,
  config: WorkerConfig,
  log: Log,
  shutdown: Shutdown,
): DeliveryProcessor {
  const createAgent = (allowInsecure: boolean) => {
    const agent = createEgressAgent({ allowInsecure });
    shutdown.add('webhook connections', () => agent.destroy());
    return agent;
  };
  const [strict, lax] = [createAgent(false), createAgent(true)];
  return new DeliveryProcessor({
    queue,
    lines,
    apps,
    log,
    secrets: createAppSecrets(createSeal(config.masterKey)),
    allowInsecureTests: config.allowInsecureTargets === 'test-apps',
    agentFor: ({ allowInsecure }) => (allowInsecure ? lax : strict),
  });
}

function createRunner(
  queue: DeliveryQueue,
  redis: Redis,
  connection: Redis,
  { prefix }: WorkerKeys,
  processor: DeliveryProcessor,
  log: Log,
): JobRunner<DeliveryJobData> {
  return new JobRunner({
    queue,
    redis,
    connection,
    prefix,
    concurrency: DELIVERIES_AT_ONCE,
    lockMs: DELIVERY_LOCK_MS,
    backoff: (attemptsMade, error) =>
      Math.max(
        delayBeforeAttempt(attemptsMade, Math.random()) ?? 0,
        error instanceof DeliveryFailed ? error.retryAfterMs : 0,
      ),
    process: (job, token, signal) => processor.process(job, token, signal),
    onDead: (job) => processor.buried(job),
    log,
  });
}
