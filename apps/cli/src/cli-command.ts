import { CommandRunner } from 'nest-commander';
import { CliError } from './cli-error.js';
import { wantsJson } from './output.js';

type Command = Parameters<CommandRunner['setCommand']>[0];

/** A command that leaves the end of the process, and its exit code, to `main`. */
export abstract class CliCommand extends CommandRunner {
  override setCommand(command: Command): this {
    command.exitOverride();
    // An error is one JSON object then, which `main` prints.
    if (wantsJson()) command.configureOutput({ writeErr: () => undefined });
    return super.setCommand(command);
  }
}

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
