import { Module } from '@nestjs/common';
import {
  WEBHOOK_DELIVERY_HANDLERS,
  WebhookDeliveriesController,
} from './webhook-deliveries.controller.js';

@Module({ controllers: [WebhookDeliveriesController], providers: [...WEBHOOK_DELIVERY_HANDLERS] })
export class WebhookDeliveriesModule {}
