import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { App } from '#domain/app';
import type { Accepted } from '#event-store';
import { answer, CommandContexts, queryWith } from '#nest';
import { assertDefect } from '#platform';
import type { ReadModels } from '#projection-engine';
import { apps, type ListedApp } from '#projections';
import { isForAllApps, type OperatorIdentity } from '#tenancy';
import { cutPage, identifyDocumentList, type PageTokens } from '../../../http/page-token.js';
import type { PageQuery } from '../../../http/page.dto.js';
import { PAGE_TOKENS, READ_MODELS } from '../../../tokens.js';
import type { AppDto, AppListDto, SegmentDto, SegmentListDto } from '../app.dto.js';
import type { CatalogSettingsDto } from '../catalog-settings.dto.js';

/** An app as the management API shows it: without its secrets. */
function renderApp(app: ListedApp): AppDto {
  const { appId, name, environment, segments, dunning, createdAt } = app;
  const { allowedOrigins, defaultRegionCode, sealWitness, tokenIssuer, onLostDispute } = app;
  const { kind, secretKeyEnding } = app.gateway;
  return {
    appId,
    name,
    environment,
    segments: [...segments],
    dunning: {
      graceHours: dunning.graceHours,
      retryAfterHours: [...dunning.retryAfterHours],
      retriedDeclineClasses: [...dunning.retriedDeclineClasses],
    },
    onLostDispute,
    allowedOrigins: [...allowedOrigins],
    defaultRegionCode,
    sealWitness,
    gateway: { kind, ...(kind === 'stripe' && { secretKeyEnding }) },
    ...(app.catalog !== null && { catalog: renderCatalog(app.catalog) }),
    tokenIssuer: tokenIssuer && { ...tokenIssuer },
    createdAt,
  };
}

function renderCatalog({ baseUrl, path, apiKeyHeader }: CatalogSettingsDto): CatalogSettingsDto {
  return { baseUrl, path, apiKeyHeader };
}

/** An app as a command has left it. */
export function answerApp(result: Accepted<App, unknown>): AppDto {
  assertDefect(result.state.status === 'created', 'a command accepted by no app');
  return answer(renderApp(result.state), result);
}

/** One app, without its secrets. */
export class GetApp extends queryWith<{ appId: string }, AppDto>() {}

@QueryHandler(GetApp)
export class GetAppHandler implements IQueryHandler<GetApp> {
  constructor(private readonly contexts: CommandContexts) {}

  async execute({ appId }: GetApp): Promise<AppDto> {
    return renderApp(await this.contexts.requireApp(appId));
  }
}

/** A page of the apps that an operator is for. */
export class ListApps extends queryWith<
  { operator: OperatorIdentity; page: PageQuery },
  AppListDto
>() {}

@QueryHandler(ListApps)
export class ListAppsHandler implements IQueryHandler<ListApps> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ operator, page: { limit, pageToken } }: ListApps): Promise<AppListDto> {
    const list = identifyDocumentList(apps, ...operator.apps);
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

/** A page of the segments of an app. */
export class ListSegments extends queryWith<{ appId: string; page: PageQuery }, SegmentListDto>() {}

@QueryHandler(ListSegments)
export class ListSegmentsHandler implements IQueryHandler<ListSegments> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListSegments): Promise<SegmentListDto> {
    const { segments } = await this.contexts.requireApp(appId);
    const sorted = [...segments].sort((a, b) => (a.segmentId < b.segmentId ? -1 : 1));
    const list = JSON.stringify(['segments', appId]);
    const byId = ({ segmentId }: SegmentDto) => segmentId;
    const { items, nextPageToken } = cutPage(sorted, byId, page, list, this.pageTokens);
    return { segments: items, nextPageToken };
  }
}
