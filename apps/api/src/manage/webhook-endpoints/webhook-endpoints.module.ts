import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { EndpointRules } from './endpoint-rules.js';
import { FailedMessages } from './failed-messages.js';
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
    FailedMessages,
    RangeMessages,
    ResendableMessages,
    ...WEBHOOK_ENDPOINT_HANDLERS,
  ],
})
export class WebhookEndpointsModule {}
