import { Module } from '@nestjs/common';
import { SetTaxRatesHandler } from './commands/set-tax-rates.js';
import { GetTaxRatesVersionHandler } from './queries/get-tax-rates-version.js';
import { GetTaxRatesHandler } from './queries/get-tax-rates.js';
import { ListTaxRatesVersionsHandler } from './queries/list-tax-rates-versions.js';
import { TaxRatesHistory } from './tax-rates-history.js';
import { TaxRatesController } from './tax-rates.controller.js';

@Module({
  controllers: [TaxRatesController],
  providers: [
    ...[TaxRatesHistory, SetTaxRatesHandler],
    ...[GetTaxRatesHandler, GetTaxRatesVersionHandler, ListTaxRatesVersionsHandler],
  ],
})
export class TaxRatesModule {}
