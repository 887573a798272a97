import { statSync } from 'node:fs';
import type { ProgressBar } from '../progress-bar.js';

const POLL_MS = 100;

/** Shows how much of a file has been copied while something copies it. @returns the result of that something. */
export async function showCopying<Result>(
  bar: ProgressBar,
  { from, to }: { readonly from: string; readonly to: string },
  copy: () => Promise<Result>,
): Promise<Result> {
  const total = statSync(from).size;
  const look = setInterval(() => {
    bar.show(statSync(to, { throwIfNoEntry: false })?.size ?? 0, total, 'bytes copied');
  }, POLL_MS);
  try {
    return await copy();
  } finally {
    clearInterval(look);
    bar.clear();
  }
}
