import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import type { CommandContext } from '#nest';
import { newId } from '#platform';
import type { WebhookType } from '#webhooks';
import { FollowedLedger } from '../../followed-ledger.js';
import type { WebhookEndpointDto } from '../webhook-endpoint.dto.js';
import { answerWithEndpoint } from './endpoint-answer.js';

/** Has a sample of a type sent to an endpoint, whether or not it takes the type (rules/webhooks 7). */
export class RequestTestMessage extends Command<WebhookEndpointDto> {
  constructor(
    readonly id: string,
    readonly eventType: WebhookType,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
