import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { parseInstant } from '#domain/calendar';
import {
  currentPriceSheet,
  explainQuote,
  priceSheetAggregate,
  type PriceSheetHistory,
  priceSheetVersion,
  type PriceSheetVersion,
} from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import { answer, APP_DIRECTORY, CommandContexts, Ledger, queryWith, rejected } from '#nest';
import type { PriceBooks } from '#price-books';
import type { AppDirectory } from '#tenancy';
import { cutPage, type PageTokens } from '../../../http/page-token.js';
import type { PageQuery } from '../../../http/page.dto.js';
import { PAGE_TOKENS, PRICE_BOOKS } from '../../../tokens.js';
import { newestFirst, versionNumber } from '../../versions.js';
import type {
  ExplainQuery,
  ExplanationDto,
  PriceSheetVersionDto,
  PriceSheetVersionListDto,
} from '../price-sheet.dto.js';
import { answerCsv } from '../sheet-answers.js';

/** Reads the versions of an app's price sheet from the store. */
@Injectable()
export class SheetHistory {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
  ) {}

  /** @throws ApiError when there is no such app. */
  async load(appId: string): Promise<{ state: PriceSheetHistory; revision: number }> {
    await this.contexts.requireApp(appId);
    return this.ledger.load(priceSheetAggregate, appId);
  }

  /** @param number as it stands in a path. @throws ApiError when there is no such version. */
  async version(appId: string, number: string): Promise<PriceSheetVersion> {
    const { state } = await this.load(appId);
    const version = priceSheetVersion(state, versionNumber(number));
    if (version === undefined) throw rejected({ code: 'price_sheet/unknown_version' });
    return version;
  }
}

/** A version of the sheet as CSV: the one in force, where none is named. */
export class DownloadPriceSheet extends queryWith<
  { appId: string; version?: string | undefined },
  StreamableFile
>() {}

@QueryHandler(DownloadPriceSheet)
export class DownloadPriceSheetHandler implements IQueryHandler<DownloadPriceSheet> {
  constructor(
    private readonly history: SheetHistory,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({ appId, version: number }: DownloadPriceSheet): Promise<StreamableFile> {
    if (number !== undefined) {
      return answerCsv(this.books, appId, await this.history.version(appId, number));
    }
    const { state, revision } = await this.history.load(appId);
    const current = currentPriceSheet(state);
    if (current === undefined) throw rejected({ code: 'price_sheet/unknown_version' });
    return answerCsv(this.books, appId, current, revision);
  }
}

/** Each step of the arithmetic of one price, now or at any moment of the past (rules/prices 1). */
export class ExplainPrice extends queryWith<
  { appId: string; price: ExplainQuery },
  ExplanationDto
>() {}

@QueryHandler(ExplainPrice)
export class ExplainPriceHandler implements IQueryHandler<ExplainPrice> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
    private readonly history: SheetHistory,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({ appId, price }: ExplainPrice): Promise<ExplanationDto> {
    const { priceId, country, rounding, at } = price;
    const app = await this.contexts.requireApp(appId);
    const moment = parseInstant(at ?? '') ?? (await this.apps.now(app));
    const { state } = await this.history.load(appId);
    const version = currentPriceSheet(state, moment);
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, appId);
    const basis = version && {
      sheet: await this.books.loadSheet(appId, version),
      sheetVersion: version.version,
      taxRates,
    };
    const asked = { priceId, country, ...(rounding !== undefined && { rounding }) };
    const explained = explainQuote(basis, asked, moment);
    if (!explained.accepted) throw rejected(explained.rejection);
    return { ...explained.explanation, steps: [...explained.explanation.steps] };
  }
}

/** A page of all versions, newest first, with their authors and times. */
export class ListPriceSheetVersions extends queryWith<
  { appId: string; page: PageQuery },
  PriceSheetVersionListDto
>() {}

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
