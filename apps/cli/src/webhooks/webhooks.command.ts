import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { EndpointsCommands } from './endpoints/endpoints.command.js';
import { ListFailedWebhooks } from './failed.command.js';
import { ShowDeliveryLog } from './log.command.js';
import { ResendWebhooks } from './resend.command.js';
import { ShowWebhookStatus } from './status.command.js';
import { TestWebhook } from './test.command.js';

@Command({
  name: 'webhooks',
  description: "an app's webhook endpoints, and the deliveries to them",
  subCommands: [
    ...[EndpointsCommands, ShowWebhookStatus, ListFailedWebhooks],
    ...[TestWebhook, ResendWebhooks, ShowDeliveryLog],
  ],
})
export class WebhooksCommands extends CommandGroup {}
