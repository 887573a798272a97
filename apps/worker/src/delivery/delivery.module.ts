import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryConsumer } from './delivery-consumer.js';
import { DeliveryHandler } from './delivery-handler.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DeliverySweep } from './delivery-sweep.js';
import { EndpointListConsumer } from './endpoint-list-consumer.js';
import { HeldMessages } from './held-messages.js';
import { MessageBodies } from './message-bodies.js';
import { MessagePlanner } from './message-planner.js';
import { Outbox } from './outbox.js';
import { SubjectQueue } from './subject-queue.js';

/** From an event to every endpoint that subscribes to its messages (rules/webhooks 1 to 6). */
@Module({
  imports: [FeedModule],
  providers: [
    DeliveryAttempt,
    DeliveryConsumer,
    DeliveryHandler,
    DeliveryQueue,
    DeliveryRunner,
    DeliverySweep,
    EndpointListConsumer,
    HeldMessages,
    MessageBodies,
    MessagePlanner,
    Outbox,
    SubjectQueue,
  ],
  exports: [DeliveryRunner, DeliverySweep],
})
export class DeliveryModule {}
