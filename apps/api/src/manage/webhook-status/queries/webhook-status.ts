import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CommandContexts, queryWith } from '#nest';
import type { ReadModels } from '#projection-engine';
import { apps } from '#projections';
import { isForAllApps, type OperatorIdentity } from '#tenancy';
import { identifyDocumentList, type PageTokens } from '../../../http/page-token.js';
import type { PageQuery } from '../../../http/page.dto.js';
import { PAGE_TOKENS, READ_MODELS } from '../../../tokens.js';
import { EndpointStatuses } from '../endpoint-statuses.js';
import type { AppWebhookStatusDto, WebhookStatusListDto } from '../webhook-status.dto.js';

/** How the endpoints of an app are (rules/webhooks 12). */
export class GetWebhookStatus extends queryWith<{ appId: string }, AppWebhookStatusDto>() {}

@QueryHandler(GetWebhookStatus)
export class GetWebhookStatusHandler implements IQueryHandler<GetWebhookStatus> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly statuses: EndpointStatuses,
  ) {}

  async execute({ appId }: GetWebhookStatus): Promise<AppWebhookStatusDto> {
    await this.contexts.requireApp(appId);
    const [endpoints = []] = await this.statuses.find([appId]);
    return { appId, endpoints };
  }
}

/** A page of how the endpoints of all apps are that an operator is for (rules/webhooks 12). */
export class ListWebhookStatus extends queryWith<
  { operator: OperatorIdentity; page: PageQuery },
  WebhookStatusListDto
>() {}

@QueryHandler(ListWebhookStatus)
export class ListWebhookStatusHandler implements IQueryHandler<ListWebhookStatus> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    private readonly statuses: EndpointStatuses,
  ) {}

  async execute({ operator, page }: ListWebhookStatus): Promise<WebhookStatusListDto> {
    const list = identifyDocumentList(apps, 'webhook-status', ...operator.apps);
    const options = { limit: page.limit, after: this.pageTokens.read(list, page.pageToken) };
    const queries = this.readModels.ask(apps);
    const { documents, nextAfter } = isForAllApps(operator)
      ? await queries.list(options)
      : await queries.listAmong(operator.apps, options);
    const appIds = documents.map(({ state }) => state.appId);
    const found = await this.statuses.find(appIds);
    return {
      apps: appIds
        .map((appId, index) => ({ appId, endpoints: found[index] ?? [] }))
        .filter(({ endpoints }) => endpoints.length > 0),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }
}
