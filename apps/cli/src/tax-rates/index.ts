import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { SetTaxRatesCommand, ShowTaxRates } from './tax-rates.commands.js';

const subCommands = [SetTaxRatesCommand, ShowTaxRates];

@Command({ name: 'tax-rates', description: "an app's tax rates", subCommands })
class TaxRatesCommand extends CommandGroup {}

/** The group's own name first. */
export const commands = [TaxRatesCommand, ...subCommands];
