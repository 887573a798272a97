import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CatalogFailures, type RecordedFailure } from '#catalog';
import { CommandContexts, queryWith } from '#nest';
import type { PersonalData } from '#tenancy';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS, PERSONAL_DATA } from '../../../tokens.js';
import type {
  CatalogFailureDto,
  CatalogFailureListDto,
  CatalogFailureQuery,
} from '../catalog.dto.js';

/** A page of the calls of an app's catalog that failed, newest first (rules/catalog 5). */
export class ListCatalogFailures extends queryWith<
  { appId: string; query: CatalogFailureQuery },
  CatalogFailureListDto
>() {}

@QueryHandler(ListCatalogFailures)
export class ListCatalogFailuresHandler implements IQueryHandler<ListCatalogFailures> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly log: CatalogFailures,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'accountId'>,
  ) {}

  async execute({ appId, query }: ListCatalogFailures): Promise<CatalogFailureListDto> {
    await this.contexts.requireApp(appId);
    const { limit, pageToken, reference } = query;
    const list = JSON.stringify(['catalog-failures', appId, reference]);
    const cursor = this.pageTokens.read(list, pageToken);
    const before = cursor === undefined ? undefined : Number(cursor);
    const page = await this.log.readPage(appId, { limit, reference, before });
    return {
      failures: await Promise.all(page.failures.map((failure) => this.render(appId, failure))),
      nextPageToken: this.pageTokens.next(list, page.before?.toString()),
    };
  }

  private async render(appId: string, failure: RecordedFailure): Promise<CatalogFailureDto> {
    const { reference, at, player, language, reason, violations, violationCount } = failure;
    const playerId = await this.personalData.accountId({ appId, player, personal: {} });
    const found = { reference, at, playerId, language, reason };
    return { ...found, violations: [...violations], violationCount };
  }
}
