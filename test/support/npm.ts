import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { eventually } from './eventually.js';

/** A command of package.json that runs until it is stopped, as a person has it in a terminal. */
export interface RunningCommand {
  /** Everything that it has printed. */
  output(): string;
  /** Waits until it has printed a text. */
  says(text: string): Promise<void>;
  /** A Ctrl-C: SIGINT to the whole group. @returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends a signal to npm's own process alone, as a supervisor does. */
  signalNpm(signal: NodeJS.Signals): void;
  /** The process groups' members that are still there, npm among them. */
  processes(): Promise<string[]>;
}

/** How long a command may take until it says the awaited text: a first start builds. */
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
    signalNpm: (signal) => void child.kill(signal),
    processes: () => listMembers(child.pid ?? 0),
    stop: async () => {
      // Also when npm itself has ended: processes that it left behind are ended, too.
      const isThere = child.pid !== undefined && (await listMembers(child.pid)).length > 0;
      if (isThere) process.kill(-child.pid, 'SIGINT');
      return closed;
    },
  };
}

/** The command lines of all processes of a group, by the system's account of each. */
async function listMembers(group: number): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    // Behind the name, which may hold anything: state, parent, group. Zombies are gone.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [state, , groupOfPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(groupOfPid) !== group || state === 'Z') continue;
    found.push(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  }
  return found;
}
