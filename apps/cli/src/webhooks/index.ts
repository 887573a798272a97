import { ListFailedWebhooks, ShowDeliveryLog } from './deliveries.commands.js';
import { ENDPOINT_COMMANDS, EndpointsCommands } from './endpoints.commands.js';
import { ResendWebhooks, TestWebhook } from './send.commands.js';
import { ShowWebhookStatus } from './status.command.js';

export const commands = [
  ...[EndpointsCommands, TestWebhook, ResendWebhooks],
  ...[ShowDeliveryLog, ShowWebhookStatus, ListFailedWebhooks],
];

/** Of a group within the group. */
export const nested = ENDPOINT_COMMANDS;
