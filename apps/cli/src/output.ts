import process from 'node:process';
import type { TimelineEntry } from '#representations';

/** Prints an answer: for programs as JSON, for people as text. */
export function print(isJson: boolean | undefined, value: unknown, text: string): void {
  console.log(isJson === true ? JSON.stringify(value) : text);
}

/** Rows as columns, as wide as their widest cell; numbers are given as texts. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Whether this run prints JSON: known before the command line is, since a bad one is an error, too. */
export function wantsJson(args: readonly string[] = process.argv): boolean {
  return args.includes('--json');
}

/** The entries as a table. */
export function printTimeline(entries: readonly TimelineEntry[]): string {
  const rows = entries.map(({ revision, at, what, by }) => [String(revision), at, by, what]);
  return table(['#', 'WHEN', 'BY', 'WHAT'], rows);
}
