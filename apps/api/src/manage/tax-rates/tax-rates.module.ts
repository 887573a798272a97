import { Module } from '@nestjs/common';
import { TaxRatesHistory } from './tax-rates-history.js';
import { TAX_RATES_HANDLERS, TaxRatesController } from './tax-rates.controller.js';

@Module({
  controllers: [TaxRatesController],
  providers: [TaxRatesHistory, ...TAX_RATES_HANDLERS],
})
export class TaxRatesModule {}
