import { Option, SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';
import { print } from '../output.js';

interface SetOptions extends ApiCommandOptions {
  readonly effectiveFrom?: string;
}

@SubCommand({
  name: 'set',
  arguments: '<file>',
  description:
    'put all rates in the place of those before; JSON: {"rates": [{country, region?, rate, inclusive}]}',
})
export class SetTaxRatesCommand extends ApiCommand {
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

  @Option({ flags: '--effective-from <instant>', description: 'from when on; now when omitted' })
  parseEffectiveFrom(value: string): string {
    return value;
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
