import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ENDPOINT_COMMANDS, EndpointsCommands } from './endpoints/endpoints.command.js';
import { ListFailedWebhooks } from './failed.command.js';
import { ShowDeliveryLog } from './log.command.js';
import { ResendWebhooks } from './resend.command.js';
import { ShowWebhookStatus } from './status.command.js';
import { TestWebhook } from './test.command.js';

const subCommands = [
  EndpointsCommands,
  TestWebhook,
  ResendWebhooks,
  ShowDeliveryLog,
  ShowWebhookStatus,
  ListFailedWebhooks,
];

@Command({
  name: 'webhooks',
  description: "an app's webhook endpoints, and the deliveries to them",
  subCommands,
})
class WebhooksCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [WebhooksCommands, ...subCommands, ...ENDPOINT_COMMANDS];
