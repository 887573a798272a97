import { statSync } from 'node:fs';

const WIDTH = 30;

/** Fast enough to be seen to move, and slow enough to cost nothing. */
const REDRAW_MS = 100;

/** One line of a terminal that is drawn over; silent where the output is no terminal. */
export class ProgressBar {
  #drawnAt = -Infinity;

  constructor(private readonly terminal: NodeJS.WriteStream) {}

  /** @param unit of the count. */
  show(done: number, total: number, unit = 'events'): void {
    const now = performance.now();
    if (!this.terminal.isTTY || (now - this.#drawnAt < REDRAW_MS && done < total)) return;
    this.#drawnAt = now;
    this.terminal.write(`\r${progressLine(done, total, unit)}`);
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write('\r\u001b[K');
  }
}

/** `[###...] 45 %  4,500 of 10,000 events` */
export function progressLine(done: number, total: number, unit = 'events'): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1);
  const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.');
  const [shown, all] = [done, total].map((number) => number.toLocaleString('en-US'));
  return `[${bar}] ${Math.floor(share * 100)} %  ${shown} of ${all} ${unit}`;
}

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
