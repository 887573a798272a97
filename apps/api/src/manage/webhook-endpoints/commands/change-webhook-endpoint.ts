import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import { EndpointRules } from '../endpoint-rules.js';
import type { ChangeWebhookEndpointBody, WebhookEndpointDto } from '../webhook-endpoint.dto.js';
import { answerWithEndpoint } from './endpoint-answer.js';

/** Changes settings of an endpoint; settings that are not named stay as they are (rules/webhooks 7). */
export class ChangeWebhookEndpoint extends Command<WebhookEndpointDto> {
  constructor(
    readonly id: string,
    readonly changes: ChangeWebhookEndpointBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
