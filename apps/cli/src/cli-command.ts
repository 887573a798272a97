import { CommandRunner } from 'nest-commander';

type Command = Parameters<CommandRunner['setCommand']>[0];

/** A command that leaves the end of the process, and its exit code, to `main`. */
export abstract class CliCommand extends CommandRunner {
  override setCommand(command: Command): this {
    command.exitOverride();
    return super.setCommand(command);
  }
}
