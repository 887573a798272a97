import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import type { WebhookEndpointDto } from '../webhook-endpoint.dto.js';
import { answerWithEndpoint } from './endpoint-answer.js';

/** Disables an endpoint, which holds its messages, or enables it again (rules/webhooks 7). */
export class SetWebhookEndpointState extends Command<WebhookEndpointDto> {
  constructor(
    readonly id: string,
    readonly to: 'enabled' | 'disabled',
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
