import { Module } from '@nestjs/common';
import { ActivatePriceSheetHandler } from './commands/activate-price-sheet.js';
import { UploadPriceSheetHandler } from './commands/upload-price-sheet.js';
import { PriceSheetController } from './price-sheet.controller.js';
import { DownloadPriceSheetHandler } from './queries/download-price-sheet.js';
import { ExplainPriceHandler } from './queries/explain-price.js';
import { ListPriceSheetVersionsHandler } from './queries/list-price-sheet-versions.js';
import { SheetHistory } from './sheet-history.js';

@Module({
  controllers: [PriceSheetController],
  providers: [
    SheetHistory,
    ...[UploadPriceSheetHandler, ActivatePriceSheetHandler],
    ...[DownloadPriceSheetHandler, ListPriceSheetVersionsHandler, ExplainPriceHandler],
  ],
})
export class PriceSheetModule {}
