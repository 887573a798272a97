import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { progress } from './benchmark.js';

/** The time and the memory of a command, from its start to its end. */
export interface CommandFigures {
  readonly seconds: number;
  /** The most that it held. */
  readonly peakMb: number;
}

const POLL_MS = 10;

/** Runs a command. @param out takes its output. @throws Error where it does not end well. */
export async function measureCommand(
  command: string,
  args: readonly string[],
  { out = '/dev/null', env = {} }: { readonly out?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<CommandFigures> {
  const file = openSync(out, 'w');
  const startedAtMs = performance.now();
  const child = spawn(command, args, {
    ...{ stdio: ['ignore', file, 'inherit'], env: { ...process.env, LC_ALL: 'C.UTF-8', ...env } },
  });
  let peakMb = 0;
  // The system keeps the highest figure of a process: the last reading is nearly that of its end.
  const polling = setInterval(() => (peakMb = readPeakMb(child.pid) ?? peakMb), POLL_MS);
  const [code] = (await once(child, 'close')) as unknown[];
  clearInterval(polling);
  closeSync(file);
  const seconds = Number(((performance.now() - startedAtMs) / 1_000).toFixed(2));
  const typed = [command, ...args].join(' ');
  if (code !== 0) throw new Error(`${typed} ended with ${String(code)}`);
  progress(`${seconds} s, ${peakMb} MB: ${typed}`);
  return { seconds, peakMb };
}

function readPeakMb(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}
