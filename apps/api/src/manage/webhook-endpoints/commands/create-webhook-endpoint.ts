import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { endpointListAggregate } from '#domain/endpoint-list';
import { readBucket } from '#domain/ids';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { answer, APP_DIRECTORY, type CommandContext, commandWith } from '#nest';
import type { AppDirectory, AppSecrets } from '#tenancy';
import { showSecret } from '#webhooks';
import { type Creation, Creations, secretShownAlready } from '../../../commands/creations.js';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import { EndpointRules } from '../endpoint-rules.js';
import { renderEndpoint } from '../queries/read-endpoints.js';
import type {
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointBody,
} from '../webhook-endpoint.dto.js';

/** Creates an endpoint; its secret is shown in this answer and never again (rules/webhooks 7). */
export class CreateWebhookEndpoint extends commandWith<
  { endpoint: CreateWebhookEndpointBody; context: CommandContext },
  CreatedWebhookEndpointDto
>() {}

@CommandHandler(CreateWebhookEndpoint)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpoint> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly rules: EndpointRules,
    private readonly creations: Creations,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
  ) {}

  /** @throws ApiError 10 SECRET_SHOWN_ALREADY where the key has made an endpoint before (rules/api 13). */
  async execute({
    endpoint,
    context: keyed,
  }: CreateWebhookEndpoint): Promise<CreatedWebhookEndpointDto> {
    const { appId } = keyed;
    const bucket = readBucket(appId);
    const repeated = await this.creations.repeated('whe', keyed, bucket);
    if (repeated !== undefined && (await this.isCreated(repeated.id))) {
      throw secretShownAlready(repeated.id);
    }
    await this.rules.requireNew(appId, endpoint);
    return this.create(repeated ?? (await this.creations.begin('whe', keyed, bucket)), endpoint);
  }

  private async create(
    { id: endpointId, at: createdAt, context }: Creation,
    endpoint: CreateWebhookEndpointBody,
  ): Promise<CreatedWebhookEndpointDto> {
    const { appId } = context;
    const secret = this.secrets.create(appId, 'webhook secret');
    await this.list(endpointId, context);
    const { url, eventTypes, accept, description, maxPerSecond } = endpoint;
    const settings = { url, eventTypes, accept, description, maxPerSecond };
    const shown = { endpointId, ...settings, createdAt };
    const command = {
      kind: 'CreateWebhookEndpoint',
      endpoint: { ...shown, appId, sealedSecret: secret.sealed },
    } as const;
    const result = await this.ledger.execute(
      webhookEndpointAggregate,
      endpointId,
      command,
      context,
    );
    // Of two requests with one key at once, the other one has created it and shows its secret.
    if (result.events.length === 0) throw secretShownAlready(endpointId);
    const rendered = renderEndpoint({ ...shown, state: 'enabled', disabled: null });
    return answer({ ...rendered, secret: showSecret(secret.shown) }, result);
  }

  private async isCreated(endpointId: string): Promise<boolean> {
    const { state } = await this.ledger.load(webhookEndpointAggregate, endpointId);
    return state.status !== 'none';
  }

  /** First, so that no endpoint is in no list, whatever ends this process when (decision 0011). */
  private async list(endpointId: string, context: CommandContext): Promise<void> {
    const { appId } = context;
    const gone = await this.apps.findGoneEndpoints(appId);
    const command = { kind: 'ListEndpoints', endpointIds: [endpointId], gone } as const;
    await this.ledger.execute(endpointListAggregate, appId, command, context);
  }
}
