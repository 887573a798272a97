import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#projection-engine';
import { apps } from '#projections';
import { isForAllApps, type OperatorIdentity } from '#tenancy';
import type { PageQuery } from '../../../http/page.dto.js';
import { nameDocumentList, type PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS, READ_MODELS } from '../../../tokens.js';
import type { AppListDto } from '../app.dto.js';
import { renderApp } from '../render-app.js';

/** A page of the apps that an operator is for. */
export class ListApps extends Query<AppListDto> {
  constructor(
    readonly operator: OperatorIdentity,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListApps)
export class ListAppsHandler implements IQueryHandler<ListApps> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ operator, page: { limit, pageToken } }: ListApps): Promise<AppListDto> {
    const list = nameDocumentList(apps, ...operator.apps);
    const options = { limit, after: this.pageTokens.read(list, pageToken) };
    const queries = this.readModels.ask(apps);
    const { documents, nextAfter } = isForAllApps(operator)
      ? await queries.list(options)
      : await queries.listAmong(operator.apps, options);
    return {
      apps: documents.map(({ state }) => renderApp(state)),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }
}
