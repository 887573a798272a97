import { SubCommand } from 'nest-commander';
import type { TaxRate } from '#domain/pricing';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';

interface ShowOptions extends ApiCommandOptions {
  readonly at?: string;
}

@SubCommand({ name: 'show', description: 'show the tax rates in force, now or at a moment' })
@Options({ '--at <instant>': 'a moment, such as 2026-01-31T10:00:00Z' })
class ShowTaxRates extends ApiCommand {
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
}

interface SetOptions extends ApiCommandOptions {
  readonly effectiveFrom?: string;
}

@SubCommand({
  name: 'set',
  arguments: '<file>',
  description:
    'put all rates in the place of those before; JSON: {"rates": [{country, region?, rate, inclusive}]}',
})
@Options({ '--effective-from <instant>': 'from when on; now when omitted' })
class SetTaxRatesCommand extends ApiCommand {
  async run([file = '']: string[], options: SetOptions): Promise<void> {
    const { effectiveFrom } = options;
    const given = parse(file);
    const body = effectiveFrom === undefined ? given : { ...given, effectiveFrom };
    const { text, headers } = await this.api(options).send('tax-rates', {
      method: 'PUT',
      contentType: 'application/json',
      body: JSON.stringify(body),
    });
    const version = Number(headers.get('x-tax-rates-version'));
    const when = effectiveFrom === undefined ? 'is in force' : `is set for ${effectiveFrom}`;
    const answer = { version, ...(JSON.parse(text) as object) };
    print(options.json, answer, `Version ${version} ${when}.`);
  }
}

/** A list alone is taken for its rates. */
function parse(file: string): object {
  const text = readText(file);
  try {
    const value = JSON.parse(text) as unknown;
    if (Array.isArray(value)) return { rates: value as unknown[] };
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below, as for any other JSON that is no object.
  }
  throw new CliError(`${file} is no JSON object with "rates".`, 'usage');
}

export const commands = [SetTaxRatesCommand, ShowTaxRates];
