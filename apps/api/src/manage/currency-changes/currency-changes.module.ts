import { Module } from '@nestjs/common';
import {
  CURRENCY_CHANGE_HANDLERS,
  CurrencyChangesController,
} from './currency-changes.controller.js';
import { CurrencyMoves } from './currency-moves.js';

@Module({
  controllers: [CurrencyChangesController],
  providers: [CurrencyMoves, ...CURRENCY_CHANGE_HANDLERS],
})
export class CurrencyChangesModule {}
