import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { endpointListAggregate } from '#domain/endpoint-list';
import { readBucket } from '#domain/ids';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { answer, APP_DIRECTORY, type CommandContext } from '#nest';
import { newId } from '#platform';
import type { AppDirectory, AppSecrets } from '#tenancy';
import { showSecret } from '#webhooks';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import { EndpointRules } from '../endpoint-rules.js';
import { renderEndpoint } from '../render-endpoint.js';
import type {
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointBody,
} from '../webhook-endpoint.dto.js';

/** Creates an endpoint; its secret is shown in this answer and never again (rules/webhooks 7). */
export class CreateWebhookEndpoint extends Command<CreatedWebhookEndpointDto> {
  constructor(
    readonly endpoint: CreateWebhookEndpointBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhookEndpoint)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpoint> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly rules: EndpointRules,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
  ) {}

  async execute({ endpoint, context }: CreateWebhookEndpoint): Promise<CreatedWebhookEndpointDto> {
    const { appId, now: createdAt } = context;
    await this.rules.requireNew(appId, endpoint);
    const secret = this.secrets.create(appId, 'webhook secret');
    const endpointId = newId('whe', createdAt, readBucket(appId));
    await this.list(endpointId, context);
    const { url, eventTypes, accept, description, maxPerSecond } = endpoint;
    const settings = { url, eventTypes, accept, description, maxPerSecond };
    const shown = { endpointId, ...settings, createdAt };
    const command = {
      kind: 'CreateWebhookEndpoint',
      endpoint: { ...shown, appId, sealedSecret: secret.sealed },
    } as const;
    const options = { what: 'webhook endpoint' };
    const result = await this.ledger.execute(
      webhookEndpointAggregate,
      endpointId,
      command,
      context,
      options,
    );
    const rendered = renderEndpoint({ ...shown, state: 'enabled', disabled: null });
    return answer({ ...rendered, secret: showSecret(secret.shown) }, result);
  }

  /** First, so that no endpoint is in no list, whatever ends this process when (decision 0095). */
  private async list(endpointId: string, context: CommandContext): Promise<void> {
    const { appId } = context;
    const gone = await this.apps.findGoneEndpoints(appId);
    const command = { kind: 'ListEndpoints', endpointIds: [endpointId], gone } as const;
    const options = { what: 'webhook endpoint' };
    await this.ledger.execute(endpointListAggregate, appId, command, context, options);
  }
}
