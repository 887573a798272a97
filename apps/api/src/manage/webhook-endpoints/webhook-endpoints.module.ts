import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { CreateWebhookEndpointHandler } from './commands/create-webhook-endpoint.js';
import { DeleteWebhookEndpointHandler } from './commands/delete-webhook-endpoint.js';
import { EndpointRules } from './endpoint-rules.js';
import { GetWebhookEndpointHandler } from './queries/get-webhook-endpoint.js';
import { ListWebhookEndpointsHandler } from './queries/list-webhook-endpoints.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

@Module({
  controllers: [WebhookEndpointsController],
  providers: [
    ...[FollowedLedger, EndpointRules],
    ...[CreateWebhookEndpointHandler, DeleteWebhookEndpointHandler],
    ...[GetWebhookEndpointHandler, ListWebhookEndpointsHandler],
  ],
})
export class WebhookEndpointsModule {}
