import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunningProgram } from '../support/program.js';

const BYTES_A_MB = 1024 * 1024;

/** For a program whose living memory is to be read. */
export const MEMORY_FLAGS = [
  '--expose-gc',
  '--import',
  path.resolve(import.meta.dirname, 'show-live-memory.js'),
];

/** The memory of a process, in MB: as the system sees it, and the live part of V8's heap after a collection. */
export interface ProgramMemory {
  readonly residentMb: number;
  readonly liveMb: number;
}

/** Reads both, in this order: the collection gives memory back. @param program started with `MEMORY_FLAGS`. */
export async function readMemory(program: RunningProgram): Promise<ProgramMemory> {
  const residentMb = readResidentMb(program.pid);
  const shown = program.nextLine();
  process.kill(program.pid, 'SIGUSR2');
  // The line is that of our own module.
  const { liveBytes } = JSON.parse(await shown) as { readonly liveBytes: number };
  return { residentMb, liveMb: Math.round(liveBytes / BYTES_A_MB) };
}

/** The memory of a process as the system sees it. */
export function readResidentMb(pid: number): number {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
