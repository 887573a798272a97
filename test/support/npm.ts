import { spawn } from 'node:child_process';
import { eventually } from './eventually.js';

/** A command of package.json that runs until it is stopped, as a person has it in a terminal. */
export interface RunningCommand {
  /** Everything that it has printed. */
  output(): string;
  /** Waits until it has printed a text. */
  says(text: string): Promise<void>;
  /** What Ctrl-C does: SIGINT to the whole group. @returns the exit code. */
  stop(): Promise<number | null>;
}

/** How long a command may take until it says what it is waited for: a first start builds. */
const SAYS_LIMIT_MS = 180_000;

/** Runs `npm ...` in a process group of its own. */
export function runNpm(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningCommand {
  const child = spawn('npm', [...args], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  let code: number | null | undefined;
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (exitCode) => resolve((code = exitCode)));
  });
  return {
    output: () => text,
    says: (wanted) => {
      const hasSaid = () => {
        if (text.includes(wanted)) return true;
        if (code === undefined) return false;
        throw new Error(`npm ${args.join(' ')} ended with ${code}: ${text}`);
      };
      return eventually(hasSaid, { what: `"${wanted}"`, limitMs: SAYS_LIMIT_MS });
    },
    stop: async () => {
      if (code === undefined && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      return closed;
    },
  };
}
