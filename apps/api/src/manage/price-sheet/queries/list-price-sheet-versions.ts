import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  currentPriceSheet,
  type PriceSheetHistory,
  type PriceSheetVersion,
} from '#domain/price-sheet';
import { answer } from '#nest';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage } from '../../../http/page.js';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import { newestFirst } from '../../versions.js';
import type { PriceSheetVersionDto, PriceSheetVersionListDto } from '../price-sheet.dto.js';
import { SheetHistory } from '../sheet-history.js';

/** A page of all versions, newest first, with their authors and times. */
export class ListPriceSheetVersions extends Query<PriceSheetVersionListDto> {
  constructor(
    readonly appId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListPriceSheetVersions)
export class ListPriceSheetVersionsHandler implements IQueryHandler<ListPriceSheetVersions> {
  constructor(
    private readonly history: SheetHistory,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListPriceSheetVersions): Promise<PriceSheetVersionListDto> {
    const { state, revision } = await this.history.load(appId);
    const list = JSON.stringify(['price sheets', appId]);
    const { sorted, keyOf } = newestFirst(state.versions);
    const { items, nextPageToken } = cutPage(sorted, keyOf, page, list, this.pageTokens);
    const versions = items.map((version) => renderVersion(version, state));
    return answer({ versions, nextPageToken }, { revision });
  }
}

function renderVersion(
  version: PriceSheetVersion,
  history: PriceSheetHistory,
): PriceSheetVersionDto {
  const { contentHash, rowCount, priceIdCount, uploadedBy, uploadedAt } = version;
  return {
    version: version.version,
    current: currentPriceSheet(history)?.version === version.version,
    contentHash,
    rowCount,
    priceIdCount,
    uploadedBy,
    uploadedAt,
    activations: history.activations
      .filter((activation) => activation.version === version.version)
      .map(({ activatedBy, activatedAt }) => ({ activatedBy, activatedAt })),
  };
}
