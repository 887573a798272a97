import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second. */
const MS_A_TICK = 10;

/** The processor time of a process so far, in user and system mode, in milliseconds. */
export function readSpentMs(pid: number): number {
  // Behind the name, which may hold spaces: state, ..., and utime and stime as the 12th and 13th.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
}

/** @returns the processor time of each process since this call, for each of so many acts, in milliseconds. */
export function countSpent<Name extends string>(
  pids: Readonly<Record<Name, number>>,
): (acts: number) => Record<Name, number> {
  // The names of the pids, and nothing else.
  const names = Object.keys(pids) as Name[];
  const before = names.map((name) => readSpentMs(pids[name]));
  return (acts) => {
    const each = names.map((name, at) => (readSpentMs(pids[name]) - (before[at] ?? 0)) / acts);
    const entries = names.map((name, at) => [name, Number((each[at] ?? 0).toFixed(2))]);
    return Object.fromEntries(entries) as Record<Name, number>;
  };
}
