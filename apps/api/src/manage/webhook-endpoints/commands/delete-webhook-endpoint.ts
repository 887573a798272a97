import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { answerWithoutBody, type CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import { executeOnEndpoint } from './endpoint-answer.js';

/** Deletes an endpoint; what it has not received yet is dropped (rules/webhooks 7). */
export class DeleteWebhookEndpoint extends Command<undefined> {
  constructor(
    readonly id: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhookEndpoint)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpoint> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ id, context }: DeleteWebhookEndpoint): Promise<undefined> {
    const command = { kind: 'DeleteWebhookEndpoint', now: context.now } as const;
    // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- no body, but headers
    return answerWithoutBody(await executeOnEndpoint(this.ledger, id, command, context));
  }
}
