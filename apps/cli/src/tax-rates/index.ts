import { SetTaxRatesCommand } from './set.command.js';
import { ShowTaxRates } from './show.command.js';
import { TaxRatesCommand } from './tax-rates.command.js';

/** The group's own name first. */
export const commands = [TaxRatesCommand, SetTaxRatesCommand, ShowTaxRates];
