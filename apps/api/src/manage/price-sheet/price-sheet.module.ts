import { Module } from '@nestjs/common';
import { PRICE_SHEET_HANDLERS, PriceSheetController } from './price-sheet.controller.js';
import { SheetHistory } from './queries/read-price-sheets.js';

@Module({
  controllers: [PriceSheetController],
  providers: [SheetHistory, ...PRICE_SHEET_HANDLERS],
})
export class PriceSheetModule {}
