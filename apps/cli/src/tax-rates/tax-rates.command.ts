import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { SetTaxRates } from './set.command.js';
import { ShowTaxRates } from './show.command.js';

@Command({
  name: 'tax-rates',
  description: "an app's tax rates",
  subCommands: [SetTaxRates, ShowTaxRates],
})
export class TaxRatesCommand extends CommandGroup {}
