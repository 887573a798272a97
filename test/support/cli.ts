import { execFile } from 'node:child_process';
import path from 'node:path';

const MAIN = path.resolve('dist/programs/subledger.js');
/** A busy machine takes seconds to start Node and Nest; more than this is stuck. */
const LIMIT_MS = 240_000;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `subledger` with these arguments, and with no more of the environment than it needs. */
export function subledger(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliResult> {
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
