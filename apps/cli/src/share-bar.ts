import type { Terminal } from './progress-bar.js';

const WIDTH = 30;
/** Often enough to look alive, seldom enough to cost nothing. */
const REDRAW_MS = 100;

/** Shows which share of something is done, and how long the rest takes; silent where the output is no terminal. */
export class ShareBar {
  #drawnAtMs = -Infinity;
  readonly #startedAtMs: number;

  constructor(
    private readonly label: string,
    private readonly terminal: Terminal,
    private readonly nowMs = () => performance.now(),
  ) {
    this.#startedAtMs = nowMs();
  }

  /** @param done from 0 to 1; new work since it began may make it more. */
  draw(done: number): void {
    const nowMs = this.nowMs();
    if (this.terminal.isTTY !== true || nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    const share = Math.min(1, done);
    const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.');
    const seconds = Math.ceil(((nowMs - this.#startedAtMs) / 1000) * (1 / share - 1));
    const left = share === 0 ? '' : `, ${seconds} s left`;
    this.terminal.write(`\r\u001b[K${this.label} [${bar}] ${Math.floor(share * 100)} %${left}`);
  }

  clear(): void {
    if (this.terminal.isTTY === true) this.terminal.write('\r\u001b[K');
  }
}
