import { ENDPOINT_COMMANDS, EndpointsCommands } from './endpoints/endpoints.command.js';
import { ListFailedWebhooks } from './failed.command.js';
import { ShowDeliveryLog } from './log.command.js';
import { ResendWebhooks } from './resend.command.js';
import { ShowWebhookStatus } from './status.command.js';
import { TestWebhook } from './test.command.js';
import { WebhooksCommands } from './webhooks.command.js';

/** The group's own name first. */
export const commands = [
  WebhooksCommands,
  EndpointsCommands,
  TestWebhook,
  ResendWebhooks,
  ShowDeliveryLog,
  ShowWebhookStatus,
  ListFailedWebhooks,
  ...ENDPOINT_COMMANDS,
];
