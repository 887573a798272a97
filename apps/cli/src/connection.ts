import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliError, EXIT_USAGE } from './cli-error.js';

/** Where the API is, who asks, and for which app. */
export interface Connection {
  readonly baseUrl: string;
  readonly token: string;
  readonly appId: string;
}

/** What may be given on the command line; each goes before its environment variable. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly token?: string;
  readonly app?: string;
  readonly demo?: boolean;
}

/** The parts of demo.json that an operator needs. */
interface DemoFile {
  readonly baseUrl: string;
  readonly operatorToken: string;
  readonly appId: string;
}

/**
 * Options first, then SUBLEDGER_URL, SUBLEDGER_TOKEN and SUBLEDGER_APP, then the demo of a standalone
 * on this machine (DATA_DIR/demo.json). `--demo` wants the demo and nothing else.
 *
 * @throws CliError that says what is missing.
 */
export function connectionOf(options: ConnectionOptions, env: NodeJS.ProcessEnv): Connection {
  const demo = readDemo(env);
  if (options.demo === true) {
    if (demo === undefined)
      throw new CliError(`${demoFile(env)} is not there: is a standalone up?`);
    return { ...demo, appId: options.app ?? demo.appId };
  }
  const baseUrl = options.url ?? env['SUBLEDGER_URL'] ?? demo?.baseUrl;
  // A token is only for the service that it was issued by: the demo's is not sent elsewhere.
  const known: Partial<Connection> = baseUrl === demo?.baseUrl ? { ...demo } : {};
  const token = options.token ?? env['SUBLEDGER_TOKEN'] ?? known.token;
  const appId = options.app ?? env['SUBLEDGER_APP'] ?? known.appId;
  return {
    baseUrl: given(baseUrl, 'the address of the API', '--url or SUBLEDGER_URL'),
    token: given(token, 'an operator token', '--token or SUBLEDGER_TOKEN'),
    appId: given(appId, 'the app', '--app or SUBLEDGER_APP'),
  };
}

function demoFile(env: NodeJS.ProcessEnv): string {
  return path.resolve(env['DATA_DIR'] ?? 'data', 'demo.json');
}

function readDemo(env: NodeJS.ProcessEnv): Connection | undefined {
  const file = demoFile(env);
  if (!existsSync(file)) return undefined;
  try {
    // The standalone writes it, in one step.
    const { baseUrl, operatorToken, appId } = JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
    return { baseUrl, token: operatorToken, appId };
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

function given(value: string | undefined, what: string, how: string): string {
  if (value !== undefined && value !== '') return value;
  throw new CliError(`Say ${what} with ${how}.`, EXIT_USAGE);
}
