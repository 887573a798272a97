import { SubCommand } from 'nest-commander';
import { parseInstant } from '#domain/calendar';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { advanceClock } from './advance-clock.js';

interface AdvanceOptions extends StoreCommandOptions {
  readonly to?: string;
}

@SubCommand({
  name: 'advance',
  arguments: '<app>',
  description:
    'let time pass in a test app: due steps happen at their own due times; continues an interrupted advance',
})
@Options({
  '--to <instant>': [
    'where the clock is to go, such as 2027-01-31T10:00:00Z; it never goes back',
    (value) => {
      const instant = parseInstant(value);
      if (instant !== undefined) return instant;
      throw new CliError('--to must be an instant such as 2027-01-31T10:00:00Z.', 'usage');
    },
  ],
})
class AdvanceClock extends StoreCommand {
  async run([appId = '']: string[], options: AdvanceOptions): Promise<void> {
    const { to } = options;
    if (to === undefined) throw new CliError('Say with --to where the clock is to go.', 'usage');
    const advanced = await this.withStore(options, (store) => advanceClock(store, appId, to));
    const { now, steps } = advanced;
    print(options.json, advanced, `The clock of ${appId} shows ${now}, after ${steps} steps.`);
  }
}

export const commands = [AdvanceClock];
