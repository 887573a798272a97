import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { TaxRatesVersion } from '#domain/pricing';
import { answer } from '#nest';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage } from '../../../http/page.js';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import { newestFirst } from '../../versions.js';
import { TaxRatesHistory } from '../tax-rates-history.js';
import type { TaxRatesVersionDto, TaxRatesVersionListDto } from '../tax-rates.dto.js';

/** A page of all versions of the rates, newest first. */
export class ListTaxRatesVersions extends Query<TaxRatesVersionListDto> {
  constructor(
    readonly appId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListTaxRatesVersions)
export class ListTaxRatesVersionsHandler implements IQueryHandler<ListTaxRatesVersions> {
  constructor(
    private readonly history: TaxRatesHistory,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListTaxRatesVersions): Promise<TaxRatesVersionListDto> {
    const { state, revision } = await this.history.load(appId);
    const list = JSON.stringify(['tax rates', appId]);
    const { sorted, keyOf } = newestFirst(state.versions);
    const { items, nextPageToken } = cutPage(sorted, keyOf, page, list, this.pageTokens);
    return answer({ versions: items.map(renderVersion), nextPageToken }, { revision });
  }
}

function renderVersion(version: TaxRatesVersion): TaxRatesVersionDto {
  const { rates, effectiveFrom, setBy, setAt } = version;
  return { version: version.version, rateCount: rates.length, effectiveFrom, setBy, setAt };
}
