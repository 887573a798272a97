import { Module } from '@nestjs/common';
import { DeliveryBackups } from './delivery-backups.js';
import { EndpointStatuses } from './endpoint-statuses.js';
import { WEBHOOK_STATUS_HANDLERS, WebhookStatusController } from './webhook-status.controller.js';
import { WrittenTimes } from './written-times.js';

@Module({
  controllers: [WebhookStatusController],
  providers: [DeliveryBackups, EndpointStatuses, WrittenTimes, ...WEBHOOK_STATUS_HANDLERS],
})
export class WebhookStatusModule {}
