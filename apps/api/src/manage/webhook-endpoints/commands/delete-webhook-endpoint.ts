import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type WebhookEndpoint, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { answerWithoutBody, type CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';

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
    const { appId, now } = context;
    const mayAct = (state: WebhookEndpoint) => state.status === 'enabled' && state.appId === appId;
    const command = { kind: 'DeleteWebhookEndpoint', now } as const;
    const options = { what: 'webhook endpoint', mayAct };
    // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- no body, but headers
    return answerWithoutBody(
      await this.ledger.execute(webhookEndpointAggregate, id, command, context, options),
    );
  }
}
