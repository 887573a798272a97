import { Module } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { IssueOperatorToken } from './operator-token/issue.command.js';
import { OperatorTokenCommand } from './operator-token/operator-token.command.js';
import { ActivatePriceSheet } from './price-sheets/activate.command.js';
import { ListPriceSheets } from './price-sheets/list.command.js';
import { PriceSheets } from './price-sheets/price-sheets.command.js';
import { RehearsePriceSheet } from './price-sheets/rehearse.command.js';
import { ShowPriceSheet } from './price-sheets/show.command.js';
import { UploadPriceSheet } from './price-sheets/upload.command.js';
import { ReadStream } from './streams/read.command.js';
import { StreamsCommand } from './streams/streams.command.js';
import { SetTaxRates } from './tax-rates/set.command.js';
import { ShowTaxRates } from './tax-rates/show.command.js';
import { TaxRatesCommand } from './tax-rates/tax-rates.command.js';

/** What operations and finance type. A new command is a provider here and a line in its group. */
@Module({
  providers: [
    ...[PriceSheets, UploadPriceSheet, ListPriceSheets, ShowPriceSheet],
    ...[ActivatePriceSheet, RehearsePriceSheet],
    ...[TaxRatesCommand, SetTaxRates, ShowTaxRates],
    ...[OperatorTokenCommand, IssueOperatorToken],
    ...[StreamsCommand, ReadStream],
  ],
})
export class CliModule {
  /** Without a name of its own the help would call the program by the name of its file. */
  constructor(@InjectCommander() program: { name(text: string): unknown }) {
    program.name('subledger');
  }
}
