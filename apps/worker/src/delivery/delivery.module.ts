import { Module } from '@nestjs/common';
import type { Log } from '#platform';
import { FeedModule } from '../feed/feed.module.js';
import { type JobConnections, JobQueue } from '../jobs/job-queue.js';
import { DELIVERY_QUEUE, JOB_CONNECTIONS, LOG } from '../tokens.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryConsumer } from './delivery-consumer.js';
import { DeliveryHandler } from './delivery-handler.js';
import type { DeliveryJobData } from './delivery-job.js';
import { DeliveryRunner } from './delivery-runner.js';
import { HeldMessages } from './held-messages.js';
import { MessagePlanner } from './message-planner.js';
import { Outbox } from './outbox.js';
import { SubjectQueue } from './subject-queue.js';

/** From an event to every endpoint that wants to know of it (rules/webhooks 1 to 6). */
@Module({
  imports: [FeedModule],
  providers: [
    {
      provide: DELIVERY_QUEUE,
      useFactory: (connections: JobConnections, log: Log) =>
        new JobQueue<DeliveryJobData>('webhooks', connections, log),
      inject: [JOB_CONNECTIONS, LOG],
    },
    DeliveryAttempt,
    DeliveryConsumer,
    DeliveryHandler,
    DeliveryRunner,
    HeldMessages,
    MessagePlanner,
    Outbox,
    SubjectQueue,
  ],
  exports: [DeliveryRunner],
})
export class DeliveryModule {}
