import { CliCommand } from './cli-command.js';
import { CliError } from './cli-error.js';

/** A name that only gathers commands: without one of them it tells which there are. */
export abstract class CommandGroup extends CliCommand {
  async run([unknown]: string[]): Promise<void> {
    if (unknown !== undefined) {
      const name = this.command.name();
      throw new CliError(`There is no command "${name} ${unknown}"; try --help.`, 'usage');
    }
    this.command.outputHelp({ error: true });
    throw new CliError('Say which of these commands.', 'usage');
  }
}
