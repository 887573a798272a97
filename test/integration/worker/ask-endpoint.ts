import { webhookEndpointAggregate, type WebhookEndpointCommand } from '#domain/webhook-endpoint';
import { wallClock } from '#platform';
import type { World } from './world.js';

type Asked = Extract<
  WebhookEndpointCommand,
  { readonly kind: 'RequestTestMessage' | 'RequestResend' | 'ChangeWebhookEndpoint' }
>;
type Unasked<Command> = Command extends Asked ? Omit<Command, 'now'> : never;

/** Asks for a test, for messages once more, or for a change, as the API does. */
export async function askEndpoint(
  world: World,
  appId: string,
  endpointId: string,
  asked: Unasked<Asked>,
): Promise<void> {
  const now = wallClock.now();
  const context = {
    appId,
    environment: 'test',
    actor: 'app',
    correlationId: 'asked',
    now,
  } as const;
  const command = { ...asked, now };
  const aggregate = webhookEndpointAggregate;
  const result = await world.commands.execute(aggregate, endpointId, command, context);
  if (!result.accepted) throw new Error(result.rejection.code);
}
