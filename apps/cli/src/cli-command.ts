import { CommandRunner } from 'nest-commander';
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
