import type { Backup, BackupRecord } from './backup.js';
import { takeUpToWeight } from './weight.js';

const EMPTY = {
  ...{ begun: [], ended: [], askAgain: [] },
  ...{ parked: [], unparked: [], exhausted: [], cursors: [] },
} as const;

/**
 * The whole of a backup as records, each with at most `size` things, and with no more than one record may
 * weigh.
 */
export function pageBackup(
  { position, inFlight, parked, exhausted, cursors }: Backup,
  size: number,
): BackupRecord[] {
  const work = toPages([...inFlight], size).map((page) => ({
    ...EMPTY,
    begun: page.map(([member]) => member),
    askAgain: page.flatMap(([member, at]) => (at === null ? [] : [{ member, at }])),
  }));
  const streams = toPages([...parked.values()], size).map((page) => ({ ...EMPTY, parked: page }));
  const givenUp = toPages([...exhausted.values()], size).map((page) => ({
    ...EMPTY,
    exhausted: page,
  }));
  const lagging = toPages([...cursors], size).map((page) => ({
    ...EMPTY,
    cursors: page.map(([endpointId, after]) => ({ endpointId, after })),
  }));
  const pages = [...work, ...streams, ...givenUp, ...lagging];
  const last = pages.pop() ?? EMPTY;
  return [
    ...pages.map((page) => ({ scope: 'page', pagesBefore: 0, position, ...page }) as const),
    { scope: 'whole', pagesBefore: pages.length, position, ...last },
  ];
}

function toPages<T>(items: readonly T[], size: number): T[][] {
  const pages: T[][] = [];
  for (let at = 0; at < items.length; at += pages.at(-1)?.length ?? 0) {
    pages.push(takeUpToWeight(items.slice(at, at + size)));
  }
  return pages;
}
