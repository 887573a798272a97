import { Module } from '@nestjs/common';
import { MessageBodies } from './message-bodies.js';
import {
  WEBHOOK_DELIVERY_HANDLERS,
  WebhookDeliveriesController,
} from './webhook-deliveries.controller.js';

@Module({
  controllers: [WebhookDeliveriesController],
  providers: [MessageBodies, ...WEBHOOK_DELIVERY_HANDLERS],
})
export class WebhookDeliveriesModule {}
