import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { releaseVersion } from '#platform';
import { EXIT_CODES_HELP } from './cli-error.js';
import { wantsJson } from './output.js';

/** The commands of operations and finance. A new command stands in the list of its folder, and in its group. */
@Module({})
export class CliModule {
  static of(commands: readonly Provider[]): DynamicModule {
    return { module: CliModule, providers: [...commands] };
  }

  /** Without a name of its own the help would call the program by the name of its file. */
  constructor(@InjectCommander() program: Program) {
    program
      .name('subledger')
      .version(`subledger ${releaseVersion()}`, '--version')
      .addHelpText('afterAll', EXIT_CODES_HELP);
    if (wantsJson()) program.configureOutput({ writeErr: () => undefined });
  }
}

/** As much of commander's program as is asked of it here. */
interface Program {
  name(text: string): this;
  version(text: string, flags: string): this;
  addHelpText(position: 'afterAll', text: string): this;
  configureOutput(configuration: { writeErr: () => void }): this;
}
