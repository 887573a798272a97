import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { SetTaxRatesCommand } from './set.command.js';
import { ShowTaxRates } from './show.command.js';

@Command({
  name: 'tax-rates',
  description: "an app's tax rates",
  subCommands: [SetTaxRatesCommand, ShowTaxRates],
})
export class TaxRatesCommand extends CommandGroup {}
