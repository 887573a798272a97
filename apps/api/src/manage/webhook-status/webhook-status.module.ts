import { Module } from '@nestjs/common';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { EndpointStatuses, WrittenTimes } from './endpoint-statuses.js';
import { WEBHOOK_STATUS_HANDLERS, WebhookStatusController } from './webhook-status.controller.js';

@Module({
  imports: [WebhookEndpointsModule],
  controllers: [WebhookStatusController],
  providers: [EndpointStatuses, WrittenTimes, ...WEBHOOK_STATUS_HANDLERS],
})
export class WebhookStatusModule {}
