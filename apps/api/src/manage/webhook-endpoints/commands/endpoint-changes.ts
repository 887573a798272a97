import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import {
  isRunning,
  type WebhookEndpoint,
  webhookEndpointAggregate,
  type WebhookEndpointCommand,
} from '#domain/webhook-endpoint';
import { answer, answerWithoutBody, type CommandContext, commandWith } from '#nest';
import { assertDefect, newId } from '#platform';
import { toRunning } from '#tenancy';
import type { WebhookType } from '#webhooks';
import { FollowedLedger } from '../../followed-ledger.js';
import { EndpointRules } from '../endpoint-rules.js';
import { renderEndpoint } from '../queries/read-endpoints.js';
import type { ChangeWebhookEndpointBody, WebhookEndpointDto } from '../webhook-endpoint.dto.js';

/** Runs a command on an endpoint of the context's app; another app's, or a deleted one, is not found. */
export async function executeOnEndpoint(
  ledger: FollowedLedger,
  id: string,
  command: WebhookEndpointCommand,
  context: CommandContext,
) {
  const { appId } = context;
  const mayAct = (state: WebhookEndpoint) => isRunning(state) && state.appId === appId;
  const options = { mayAct };
  return ledger.execute(webhookEndpointAggregate, id, command, context, options);
}

/** The same. @returns the endpoint as it was after the command. */
async function answerWithEndpoint(
  ...command: Parameters<typeof executeOnEndpoint>
): Promise<WebhookEndpointDto> {
  const result = await executeOnEndpoint(...command);
  const endpoint = toRunning(result.state);
  assertDefect(endpoint !== undefined, 'a command accepted by no endpoint');
  return answer(renderEndpoint(endpoint), result);
}

/** Changes settings of an endpoint; settings that are not named stay as they are (rules/webhooks 7). */
export class ChangeWebhookEndpoint extends commandWith<
  { id: string; changes: ChangeWebhookEndpointBody; context: CommandContext },
  WebhookEndpointDto
>() {}

@CommandHandler(ChangeWebhookEndpoint)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpoint> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly rules: EndpointRules,
  ) {}

  async execute({ id, changes, context }: ChangeWebhookEndpoint): Promise<WebhookEndpointDto> {
    await this.rules.requireSettings(context.appId, changes);
    const command = { kind: 'ChangeWebhookEndpoint', changes, now: context.now } as const;
    return answerWithEndpoint(this.ledger, id, command, context);
  }
}

/** Disables an endpoint, which holds its messages, or enables it again (rules/webhooks 7). */
export class SetWebhookEndpointState extends commandWith<
  { id: string; to: 'enabled' | 'disabled'; context: CommandContext },
  WebhookEndpointDto
>() {}

@CommandHandler(SetWebhookEndpointState)
export class SetWebhookEndpointStateHandler implements ICommandHandler<SetWebhookEndpointState> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ id, to, context }: SetWebhookEndpointState): Promise<WebhookEndpointDto> {
    const { now } = context;
    const command =
      to === 'enabled'
        ? ({ kind: 'EnableWebhookEndpoint', now } as const)
        : ({ kind: 'DisableWebhookEndpoint', reason: 'operator', now } as const);
    return answerWithEndpoint(this.ledger, id, command, context);
  }
}

/** Deletes an endpoint; its undelivered messages are dropped (rules/webhooks 7). */
export class DeleteWebhookEndpoint extends commandWith<
  { id: string; context: CommandContext },
  undefined
>() {}

@CommandHandler(DeleteWebhookEndpoint)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpoint> {
  constructor(private readonly ledger: FollowedLedger) {}

  /** Clients send a DELETE again by themselves, with the If-Match of the first (rules/api 14). */
  async execute({ id, context }: DeleteWebhookEndpoint): Promise<undefined> {
    const command = { kind: 'DeleteWebhookEndpoint', now: context.now } as const;
    try {
      // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- no body, but headers
      return answerWithoutBody(await executeOnEndpoint(this.ledger, id, command, context));
    } catch (error) {
      if (await this.isDeleted(id, context.appId)) return undefined;
      throw error;
    }
  }

  private async isDeleted(id: string, appId: string): Promise<boolean> {
    const { state } = await this.ledger.load(webhookEndpointAggregate, id);
    return state.status === 'deleted' && state.appId === appId;
  }
}

/** Has a sample of a type sent to an endpoint, whether or not it takes the type (rules/webhooks 7). */
export class RequestTestMessage extends commandWith<
  { id: string; eventType: WebhookType; context: CommandContext },
  WebhookEndpointDto
>() {}

@CommandHandler(RequestTestMessage)
export class RequestTestMessageHandler implements ICommandHandler<RequestTestMessage> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ id, eventType, context }: RequestTestMessage): Promise<WebhookEndpointDto> {
    const { appId, now } = context;
    const testId = newId('tst', now, readBucket(appId));
    const command = { kind: 'RequestTestMessage', testId, eventType, now } as const;
    return answerWithEndpoint(this.ledger, id, command, context);
  }
}
