const WIDTH = 30;

/** Fast enough to be seen to move, and slow enough to cost nothing. */
const REDRAW_MS = 100;

/** One line of a terminal that is drawn over; silent where the output is no terminal. */
export class VerifyProgressBar {
  #drawnAt = -Infinity;

  constructor(private readonly terminal: NodeJS.WriteStream) {}

  show(done: number, total: number): void {
    const now = performance.now();
    if (!this.terminal.isTTY || (now - this.#drawnAt < REDRAW_MS && done < total)) return;
    this.#drawnAt = now;
    this.terminal.write(`\r${progressLine(done, total)}`);
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write('\r\u001b[K');
  }
}

/** `[###...] 45 %  4,500 of 10,000 events` */
export function progressLine(done: number, total: number): string {
  const share = total === 0 ? 1 : done / total;
  const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.');
  const [verified, all] = [done, total].map((number) => number.toLocaleString('en-US'));
  return `[${bar}] ${Math.floor(share * 100)} %  ${verified} of ${all} events`;
}
