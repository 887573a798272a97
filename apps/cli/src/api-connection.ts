import { CliError } from './cli-error.js';
import { type DataDirOptions, demoFileIn } from './data-dir.js';

/** The API's address, the caller's token, and the app. */
export interface ApiConnection {
  readonly baseUrl: string;
  readonly token: string;
  readonly appId: string;
}

/** The options of the command line; each goes before its environment variable. */
export interface ConnectionOptions extends DataDirOptions {
  readonly url?: string;
  readonly token?: string;
  readonly app?: string;
  readonly demo?: boolean;
  /** For a command that asks about all apps which the token is for: none need be named. */
  readonly allApps?: boolean;
}

/**
 * Options first, then SUBLEDGER_URL, SUBLEDGER_TOKEN and SUBLEDGER_APP, then the demo of a standalone
 * on this machine (DATA_DIR/demo.json). `--demo` wants the demo and nothing else, as does `--data-dir`.
 *
 * @throws CliError that names the missing setting.
 */
export function findConnection(options: ConnectionOptions, env: NodeJS.ProcessEnv): ApiConnection {
  const { file, demo: found } = demoFileIn(options, env);
  const demo = found && { baseUrl: found.baseUrl, token: found.operatorToken, appId: found.appId };
  if (options.demo === true || options.dataDir !== undefined) {
    if (demo === undefined) {
      throw new CliError(`${file} is not there: is a standalone up?`, 'usage');
    }
    return { ...demo, appId: options.app ?? demo.appId };
  }
  const baseUrl = options.url ?? env['SUBLEDGER_URL'] ?? demo?.baseUrl;
  // A token is only for the service that it was issued by: the demo's is not sent elsewhere.
  const known: Partial<ApiConnection> = baseUrl === demo?.baseUrl ? { ...demo } : {};
  const token = options.token ?? env['SUBLEDGER_TOKEN'] ?? known.token;
  return {
    baseUrl: given(baseUrl, 'the address of the API', '--url or SUBLEDGER_URL'),
    token: given(token, 'an operator token', '--token or SUBLEDGER_TOKEN'),
    appId: findApp(options, env, known.appId),
  };
}

function findApp(
  { app, allApps }: ConnectionOptions,
  env: NodeJS.ProcessEnv,
  known: string | undefined,
): string {
  if (allApps === true) return '';
  return given(app ?? env['SUBLEDGER_APP'] ?? known, 'the app', '--app or SUBLEDGER_APP');
}

function given(value: string | undefined, what: string, how: string): string {
  if (value !== undefined && value !== '') return value;
  throw new CliError(`Say ${what} with ${how}.`, 'usage');
}
