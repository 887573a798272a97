import { Module } from '@nestjs/common';
import type { Redis } from '#redis';
import { EndpointFailures, SharedTokens, type WorkerKeys } from '#worker-state';
import { FeedModule } from '../feed/feed.module.js';
import { KEYS, REDIS } from '../tokens.js';
import { DeliveryAct } from './delivery-act.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryConsumer } from './delivery-consumer.js';
import { EndpointQueues } from './endpoint-queues.js';
import { DeliveryLogWriter } from './delivery-log-writer.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { DeliveryIntake } from './delivery-intake.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DeliverySettlement } from './delivery-settlement.js';
import { DeliveryUpkeep } from './delivery-upkeep.js';
import { DeliveryWindow } from './delivery-window.js';
import { EndpointClasses } from './endpoint-classes.js';
import { EndpointDisabling } from './endpoint-disabling.js';
import { EndpointLimiter } from './endpoint-limiter.js';
import { EndpointMetrics } from './endpoint-metrics.js';
import { EndpointRequests } from './endpoint-requests.js';
import { FailureReports } from './failure-reports.js';
import { LagIntake } from './lag-intake.js';
import { LagPlanner } from './lag-planner.js';
import { LagReader } from './lag-reader.js';
import { MessagePlanner } from './message-planner.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { RetryQueue } from './retry-queue.js';
import { RetryWorker } from './retry-worker.js';

/** What is shared of endpoints over all partitions. */
const shared = <State>(type: new (redis: Redis, layoutId: string) => State) => ({
  provide: type,
  useFactory: (redis: Redis, { layoutId }: WorkerKeys) => new type(redis, layoutId),
  inject: [REDIS, KEYS],
});

/** From an event to every endpoint that subscribes to its messages (rules/webhooks 1 to 6). */
@Module({
  imports: [FeedModule],
  providers: [
    DeliveryAct,
    DeliveryAttempt,
    DeliveryConsumer,
    EndpointQueues,
    DeliveryLogWriter,
    DeliveryOutcomes,
    DeliveryIntake,
    DeliveryRunner,
    DeliverySettlement,
    DeliveryUpkeep,
    DeliveryWindow,
    EndpointClasses,
    EndpointDisabling,
    EndpointLimiter,
    EndpointMetrics,
    EndpointRequests,
    FailureReports,
    LagIntake,
    LagPlanner,
    LagReader,
    MessagePlanner,
    OutgoingMessages,
    RetryQueue,
    RetryWorker,
    shared(EndpointFailures),
    shared(SharedTokens),
  ],
  exports: [DeliveryLogWriter, DeliveryUpkeep, EndpointMetrics, LagReader],
})
export class DeliveryModule {}
