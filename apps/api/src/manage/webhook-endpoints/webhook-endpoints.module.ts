import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { EndpointRules } from './endpoint-rules.js';
import { FailedDeliveries } from './failed-deliveries.js';
import { NamedMessages } from './named-messages.js';
import { RangeMessages } from './range-messages.js';
import { ResendableMessages } from './resendable-messages.js';
import {
  WEBHOOK_ENDPOINT_HANDLERS,
  WebhookEndpointsController,
} from './webhook-endpoints.controller.js';

@Module({
  controllers: [WebhookEndpointsController],
  providers: [
    FollowedLedger,
    EndpointRules,
    FailedDeliveries,
    NamedMessages,
    RangeMessages,
    ResendableMessages,
    ...WEBHOOK_ENDPOINT_HANDLERS,
  ],
  exports: [FailedDeliveries],
})
export class WebhookEndpointsModule {}
