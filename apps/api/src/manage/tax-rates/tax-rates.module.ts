import { Module } from '@nestjs/common';
import { TaxRatesHistory } from './queries/read-tax-rates.js';
import { TAX_RATES_HANDLERS, TaxRatesController } from './tax-rates.controller.js';

@Module({
  controllers: [TaxRatesController],
  providers: [TaxRatesHistory, ...TAX_RATES_HANDLERS],
})
export class TaxRatesModule {}
