import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, CommandContexts } from '#nest';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage } from '../../../http/page.js';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import { renderEndpoint } from '../render-endpoint.js';
import type { WebhookEndpointListDto } from '../webhook-endpoint.dto.js';

/** A page of the endpoints of an app. */
export class ListWebhookEndpoints extends Query<WebhookEndpointListDto> {
  constructor(
    readonly appId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListWebhookEndpoints)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpoints> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListWebhookEndpoints): Promise<WebhookEndpointListDto> {
    await this.contexts.requireApp(appId);
    const list = JSON.stringify(['webhook-endpoints', appId]);
    const endpoints = await this.apps.listEndpoints(appId);
    const byId = ({ endpointId }: RunningEndpoint) => endpointId;
    const { items, nextPageToken } = cutPage(endpoints, byId, page, list, this.pageTokens);
    return { webhookEndpoints: items.map(renderEndpoint), nextPageToken };
  }
}
