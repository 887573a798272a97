import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import {
  currentPriceSheet,
  type PriceSheetEvent,
  type PriceSheetHistory,
  type PriceSheetVersion,
} from '#domain/price-sheet';
import type { Accepted } from '#event-store';
import { answer } from '#nest';
import { assertDefect } from '#platform';
import { type PriceBooks, renderPriceSheetCsv } from '#price-books';
import { sheetVersionHeader } from '../../prices/conversion-source.decorator.js';
import type { UploadedPriceSheetDto } from './price-sheet.dto.js';

export type AcceptedSheet = Accepted<PriceSheetHistory, PriceSheetEvent>;

/** The version that a command has made current, which this process then converts by. */
export async function answerCurrent(
  books: PriceBooks,
  appId: string,
  result: AcceptedSheet,
): Promise<UploadedPriceSheetDto> {
  const current = currentPriceSheet(result.state);
  assertDefect(current !== undefined, 'an accepted command that leaves no price sheet');
  await books.refresh(appId);
  const { version, rowCount, priceIdCount } = current;
  const headers = sheetVersionHeader(version);
  return answer({ version, rowCount, priceIdCount }, { ...result, headers });
}

/** A version as CSV, which is written while it is taken. @param revision for the ETag, if any. */
export async function answerCsv(
  books: PriceBooks,
  appId: string,
  version: PriceSheetVersion,
  revision?: number,
): Promise<StreamableFile> {
  const sheet = await books.loadSheet(appId, version);
  const file = new StreamableFile(Readable.from(renderPriceSheetCsv(sheet)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="price-sheet-${version.version}.csv"`,
  });
  const headers = sheetVersionHeader(version.version);
  return answer(file, { headers, ...(revision !== undefined && { revision }) });
}
