import { parseArgs } from 'node:util';
import { DEFAULT_DATA_DIR } from './command-line.js';
import {
  EventStoreStartRefused,
  EXIT_BAD_USAGE,
  EXIT_DAMAGED,
  EXIT_REFUSED,
  StoreDamaged,
} from './failures.js';

/** The end of a command: its output, the stream of that, and its exit code. */
export interface Ending {
  readonly exitCode: number;
  readonly out?: string;
  readonly err?: string;
}

/** The arguments of a command that works on a directory. */
export interface DirectoryArguments {
  readonly dataDir: string;
  readonly isJson: boolean;
  readonly rest: readonly string[];
}

interface DirectoryCommand {
  readonly name: string;
  readonly help: string;
  readonly run: (given: DirectoryArguments) => Promise<Ending>;
}

/** Runs a command with the arguments after its name; a refusal or damage is its ending. */
export async function runOnDirectory(
  args: readonly string[],
  { name, help, run }: DirectoryCommand,
): Promise<Ending> {
  let given: DirectoryArguments & { readonly isHelp: boolean };
  try {
    given = parse(args);
  } catch (error) {
    return badUsage(name, error instanceof Error ? error.message : String(error));
  }
  if (given.isHelp) return { exitCode: 0, out: help };
  try {
    return await run(given);
  } catch (error) {
    if (!(error instanceof EventStoreStartRefused)) throw error;
    const { message } = error;
    const exitCode = error instanceof StoreDamaged ? EXIT_DAMAGED : EXIT_REFUSED;
    if (given.isJson) return { exitCode, out: JSON.stringify({ isWhole: false, message }) };
    return { exitCode, err: message };
  }
}

export function badUsage(name: string, why: string): Ending {
  return { exitCode: EXIT_BAD_USAGE, err: `${why} See ${name} --help.` };
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: DEFAULT_DATA_DIR },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    dataDir: values['data-dir'],
    isJson: values.json,
    isHelp: values.help,
    rest: positionals,
  };
}
