import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { format } from 'node:util';
import { CommandFactory } from 'nest-commander';
import { vi } from 'vitest';
import { CliModule } from '../../apps/cli/src/cli.module.js';
import { loadCommands } from '../../apps/cli/src/command-groups.js';
import { wantsJson } from '../../apps/cli/src/output.js';
import { reportError } from '../../apps/cli/src/report.js';

const MAIN = path.resolve('dist/programs/subledger.js');
/** A busy machine takes seconds to start Node and Nest; more than this is stuck. */
const LIMIT_MS = 240_000;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `subledger` with these arguments in this process, since a process of its own takes longer to load than to work.
 * One at a time: the command has the arguments, the environment and the output of the process.
 */
export async function subledger(args: readonly string[], env: Env): Promise<CliResult> {
  const run = last.then(() => runHere(args, env));
  last = run;
  return run;
}

async function runHere(args: readonly string[], env: Env): Promise<CliResult> {
  const { argv, env: ownEnv } = process;
  const output = { stdout: '', stderr: '' };
  const keep = (name: keyof typeof output) => (text: unknown) => {
    output[name] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('stderr')),
    // Vitest has a console of its own, which does not write to the output of the process.
    vi.spyOn(console, 'log').mockImplementation((...parts) => {
      output.stdout += `${format(...parts)}\n`;
    }),
  ];
  process.argv = [process.execPath, MAIN, ...args];
  process.env = { PATH: ownEnv['PATH'], ...env };
  try {
    const options = { errorHandler: fail, serviceErrorHandler: fail };
    await CommandFactory.run(CliModule.of(await loadCommands(args)), options);
    return { code: 0, ...output };
  } catch (error) {
    const { text, exitCode } = reportError(error, wantsJson());
    return { code: exitCode, stdout: output.stdout, stderr: output.stderr + text };
  } finally {
    for (const spy of spies) spy.mockRestore();
    Object.assign(process, { argv, env: ownEnv });
  }
}

function fail(error: Error): never {
  throw error;
}

/** Runs `subledger` as a process, with no more of the environment than it needs. */
export function startSubledger(args: readonly string[], env: Env): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: LIMIT_MS },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
}
