import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY } from '#nest';
import { type AppDirectory, isForApp, type OperatorIdentity } from '#tenancy';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage } from '../../../http/page.js';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
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
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ operator, page }: ListApps): Promise<AppListDto> {
    const apps = this.apps.all().filter(({ appId }) => isForApp(operator, appId));
    const list = JSON.stringify(['apps', operator.apps]);
    const byId = ({ appId }: { appId: string }) => appId;
    const { items, nextPageToken } = cutPage(apps, byId, page, list, this.pageTokens);
    return { apps: items.map(renderApp), nextPageToken };
  }
}
