import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, notFound } from '#nest';
import type { AppDirectory } from '#tenancy';
import { renderEndpoint } from '../render-endpoint.js';
import type { WebhookEndpointDto } from '../webhook-endpoint.dto.js';

/** One endpoint of an app, without its secret. */
export class GetWebhookEndpoint extends Query<WebhookEndpointDto> {
  constructor(
    readonly appId: string,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetWebhookEndpoint)
export class GetWebhookEndpointHandler implements IQueryHandler<GetWebhookEndpoint> {
  constructor(@Inject(APP_DIRECTORY) private readonly apps: AppDirectory) {}

  async execute({ appId, id }: GetWebhookEndpoint): Promise<WebhookEndpointDto> {
    const endpoint = await this.apps.findEndpoint(id);
    if (endpoint?.appId !== appId) throw notFound('webhook endpoint', id);
    return renderEndpoint(endpoint);
  }
}
