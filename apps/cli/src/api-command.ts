import process from 'node:process';
import { CliCommand } from './cli-command.js';
import { Api } from './api.js';
import { findConnection, type ConnectionOptions } from './api-connection.js';
import { Options } from './options.js';

export interface ApiCommandOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** A command that asks the API: how it is reached is the same for all of them. */
@Options({
  '--url <address>': 'the API (SUBLEDGER_URL)',
  '--token <token>': "an operator's token (SUBLEDGER_TOKEN)",
  '--app <appId>': 'the app (SUBLEDGER_APP)',
  '--demo': 'the demo app of the standalone, from DATA_DIR/demo.json',
  '--data-dir <dir>': 'the same of a standalone elsewhere (DATA_DIR)',
  '--json': 'print JSON',
})
export abstract class ApiCommand extends CliCommand {
  protected api(options: ApiCommandOptions): Api {
    return new Api(findConnection(options, process.env));
  }
}
