import { Module } from '@nestjs/common';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { EndpointStatuses } from './endpoint-statuses.js';
import { WEBHOOK_STATUS_HANDLERS, WebhookStatusController } from './webhook-status.controller.js';
import { WrittenTimes } from './written-times.js';

@Module({
  imports: [WebhookEndpointsModule],
  controllers: [WebhookStatusController],
  providers: [EndpointStatuses, WrittenTimes, ...WEBHOOK_STATUS_HANDLERS],
})
export class WebhookStatusModule {}
