import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { answerWithoutBody, type CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import { executeOnEndpoint } from './endpoint-answer.js';

/** Deletes an endpoint; its undelivered messages are dropped (rules/webhooks 7). */
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
