import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, CommandContexts, notFound, queryWith } from '#nest';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { cutPage, type PageTokens } from '../../../http/page-token.js';
import type { PageQuery } from '../../../http/page.dto.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import type { WebhookEndpointDto, WebhookEndpointListDto } from '../webhook-endpoint.dto.js';

type Hidden = 'appId' | 'secrets' | 'rotatedAt' | 'enabledAt' | 'changedAt';

/** An endpoint as the management API shows it: without its secrets. */
export function renderEndpoint(endpoint: Omit<RunningEndpoint, Hidden>) {
  const { endpointId, url, eventTypes, accept, description, maxPerSecond } = endpoint;
  const { state, disabled, createdAt } = endpoint;
  return {
    id: endpointId,
    url,
    eventTypes: [...eventTypes],
    accept,
    description,
    maxPerSecond,
    state,
    disabledReason: disabled?.reason ?? '',
    disabledAt: disabled?.disabledAt ?? '',
    createdAt,
  };
}

/** One endpoint of an app, without its secret. */
export class GetWebhookEndpoint extends queryWith<
  { appId: string; id: string },
  WebhookEndpointDto
>() {}

@QueryHandler(GetWebhookEndpoint)
export class GetWebhookEndpointHandler implements IQueryHandler<GetWebhookEndpoint> {
  constructor(@Inject(APP_DIRECTORY) private readonly apps: AppDirectory) {}

  async execute({ appId, id }: GetWebhookEndpoint): Promise<WebhookEndpointDto> {
    const endpoint = await this.apps.findEndpoint(id);
    if (endpoint?.appId !== appId) throw notFound('webhook endpoint', id);
    return renderEndpoint(endpoint);
  }
}

/** A page of the endpoints of an app. */
export class ListWebhookEndpoints extends queryWith<
  { appId: string; page: PageQuery },
  WebhookEndpointListDto
>() {}

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
