import process from 'node:process';
import { Option } from 'nest-commander';
import { CliCommand } from './cli-command.js';
import { Api } from './api.js';
import { findConnection, type ConnectionOptions } from './api-connection.js';

export interface ApiCommandOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** A command that asks the API: how it is reached is the same for all of them. */
export abstract class ApiCommand extends CliCommand {
  protected api(options: ApiCommandOptions): Api {
    return new Api(findConnection(options, process.env));
  }

  @Option({ flags: '--url <address>', description: 'the API (SUBLEDGER_URL)' })
  parseUrl(value: string): string {
    return value;
  }

  @Option({ flags: '--token <token>', description: "an operator's token (SUBLEDGER_TOKEN)" })
  parseToken(value: string): string {
    return value;
  }

  @Option({ flags: '--app <appId>', description: 'the app (SUBLEDGER_APP)' })
  parseApp(value: string): string {
    return value;
  }

  @Option({
    flags: '--demo',
    description: 'the demo app of the standalone, from DATA_DIR/demo.json',
  })
  parseDemo(): boolean {
    return true;
  }

  @Option({
    flags: '--data-dir <dir>',
    description: 'the same of a standalone elsewhere (DATA_DIR)',
  })
  parseDataDir(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  parseJson(): boolean {
    return true;
  }
}
