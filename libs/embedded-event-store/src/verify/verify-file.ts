import path from 'node:path';
import { StoreDamaged } from '../failures.js';
import type { ProgressBar } from '../progress-bar.js';
import { LogStore } from '../storage/log-store.js';
import { verifyStore, type Verification } from './verify-store.js';

/** Reads every event of a file that no store writes to, and shows how far it is. */
export async function readWholeFile(file: string, bar: ProgressBar): Promise<Verification> {
  const store = new LogStore(file, undefined, { readOnly: true });
  try {
    return await verifyStore(store, (verified, total) => bar.show(verified, total));
  } finally {
    bar.clear();
    await store.close();
  }
}

/** The same, for a copy. @throws StoreDamaged where it is not whole. */
export async function verifyFile(file: string, bar: ProgressBar): Promise<Verification> {
  const found = await readWholeFile(file, bar);
  const problem = describeProblem(found);
  if (problem === undefined) return found;
  const message = `The copy in ${path.dirname(file)} is damaged, and so is its original: ${problem}.`;
  throw new StoreDamaged(message, problem);
}

/** The problem, the first damaged place first; undefined if there is none. */
export function describeProblem({
  first,
  damagedEvents,
  events,
  tables,
}: Verification): string | undefined {
  if (!first) return tables.length === 0 ? undefined : tables.join('; ');
  const { stream = 'unknown', what } = first;
  const where = what.includes(stream) ? what : `${what}, of the stream ${stream}`;
  return `${where}; ${showNumber(damagedEvents)} of ${showNumber(events)} events are damaged, this one first`;
}

export function showNumber(number: number): string {
  return number.toLocaleString('en-US');
}
