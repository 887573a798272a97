import type { TimelineEntry } from '#representations';
import { table } from './output.js';

/** The entries as a table. */
export function printTimeline(entries: readonly TimelineEntry[]): string {
  const rows = entries.map(({ revision, at, what, by }) => [String(revision), at, by, what]);
  return table(['#', 'WHEN', 'BY', 'WHAT'], rows);
}
