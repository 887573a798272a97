import { Module } from '@nestjs/common';
import type { CommandExecutor } from '#event-store';
import { createGateways } from '#gateway';
import { type Log, wallClock } from '#platform';
import type { WorkerConfig } from '../config.js';
import { FeedModule } from '../feed/feed.module.js';
import { type JobConnections, JobQueue } from '../jobs/job-queue.js';
import { COMMANDS, CONFIG, GATEWAYS, JOB_CONNECTIONS, LOG, PAYMENT_QUEUE } from '../tokens.js';
import { PaymentHandler } from './payments/payment-handler.js';
import type { PaymentJobData } from './payments/payment-jobs.js';
import { PaymentRunner } from './payments/payment-runner.js';
import { ProcessConsumer } from './process-consumer.js';
import { ProcessRouter } from './process-router.js';
import { StepExecutor } from './step-executor.js';

/** What follows from events inside of us: commands, and charges and refunds at the gateway. */
@Module({
  imports: [FeedModule],
  providers: [
    {
      provide: PAYMENT_QUEUE,
      useFactory: (connections: JobConnections, log: Log) =>
        new JobQueue<PaymentJobData>('payments', connections, log),
      inject: [JOB_CONNECTIONS, LOG],
    },
    {
      provide: GATEWAYS,
      useFactory: (commands: CommandExecutor, { sandboxInProductionApps }: WorkerConfig) =>
        createGateways({ commands, clock: wallClock, sandboxInProductionApps }),
      inject: [COMMANDS, CONFIG],
    },
    PaymentHandler,
    PaymentRunner,
    ProcessConsumer,
    ProcessRouter,
    StepExecutor,
  ],
  exports: [PaymentRunner],
})
export class ProcessesModule {}
