import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { formatWithOptions } from 'node:util';
import { CommandFactory } from 'nest-commander';
import { vi } from 'vitest';
import { CliModule } from '../../apps/cli/src/cli.module.js';
import { loadCommands } from '../../apps/cli/src/command-groups.js';
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
  const [restoreOut, restoreErr] = [catchOutput('stdout', output), catchOutput('stderr', output)];
  process.argv = [process.execPath, MAIN, ...args];
  process.env = { PATH: ownEnv['PATH'], ...env };
  const log = vi.spyOn(console, 'log').mockImplementation((...parts: unknown[]) => {
    output.stdout += `${formatWithOptions({}, ...parts)}\n`;
  });
  try {
    const options = { errorHandler: fail, serviceErrorHandler: fail };
    await CommandFactory.run(CliModule.of(await loadCommands(args)), options);
    return { code: 0, ...output };
  } catch (error) {
    const { text, exitCode } = reportError(error, args.includes('--json'));
    return { code: exitCode, stdout: output.stdout, stderr: output.stderr + text };
  } finally {
    log.mockRestore();
    Object.assign(process, { argv, env: ownEnv });
    restoreOut();
    restoreErr();
  }
}

function fail(error: Error): never {
  throw error;
}

function catchOutput(name: 'stdout' | 'stderr', output: Record<typeof name, string>): () => void {
  const stream = process[name];
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array) => {
    output[name] += String(chunk);
    return true;
  };
  return () => void (stream.write = write);
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
