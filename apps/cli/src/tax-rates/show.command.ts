import { Option, SubCommand } from 'nest-commander';
import type { TaxRate } from '#domain/pricing';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { print, table } from '../output.js';

interface ShowOptions extends ApiCommandOptions {
  readonly at?: string;
}

@SubCommand({ name: 'show', description: 'show the tax rates in force, now or at a moment' })
export class ShowTaxRates extends ApiCommand {
  async run(_arguments: string[], options: ShowOptions): Promise<void> {
    const query = options.at === undefined ? '' : `?at=${encodeURIComponent(options.at)}`;
    const { text, headers } = await this.api(options).send(`tax-rates${query}`);
    const { rates } = JSON.parse(text) as { rates: TaxRate[] };
    const version = Number(headers.get('x-tax-rates-version'));
    const rows = rates.map(({ country, region = '', rate, inclusive }) => [
      country,
      region,
      rate,
      inclusive ? 'inclusive' : 'exclusive',
    ]);
    const lines = `version ${version}\n${table(['country', 'region', 'rate', ''], rows)}`;
    print(options.json, { version, rates }, version === 0 ? 'No tax rates are in force.' : lines);
  }

  @Option({ flags: '--at <instant>', description: 'a moment, such as 2026-01-31T10:00:00Z' })
  parseAt(value: string): string {
    return value;
  }
}
