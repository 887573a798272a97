import { Inject, type StreamableFile } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { currentPriceSheet } from '#domain/price-sheet';
import { rejected } from '#nest';
import type { PriceBooks } from '#price-books';
import { PRICE_BOOKS } from '../../../tokens.js';
import { answerCsv } from '../sheet-answers.js';
import { SheetHistory } from '../sheet-history.js';

/** A version of the sheet as CSV: the one in force, where none is named. */
export class DownloadPriceSheet extends Query<StreamableFile> {
  constructor(
    readonly appId: string,
    readonly version?: string,
  ) {
    super();
  }
}

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
