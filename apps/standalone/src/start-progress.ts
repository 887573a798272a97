import type { StartShare } from './child.js';

const WIDTH = 30;
/** A terminal, as far as a bar needs it. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows how far a long start is: a bar in a terminal, a line now and then elsewhere. */
export class StartProgress {
  /** The last tenth of the way that had a line. */
  #tenth = -1;
  #isDrawn = false;

  constructor(private readonly terminal: Terminal) {}

  show({ doing, progress }: StartShare): void {
    if (this.terminal.isTTY === true) this.#draw(doing, progress);
    else this.#write(doing, progress);
  }

  /** The next text begins on a line of its own. */
  end(): void {
    if (this.#isDrawn) this.terminal.write('\n');
    this.#isDrawn = false;
  }

  #write(doing: string, progress: number): void {
    const tenth = Math.floor(progress * 10);
    if (tenth <= this.#tenth) return;
    this.#tenth = tenth;
    this.terminal.write(`subledger: ${doing}: ${toPercent(progress)}\n`);
  }

  #draw(doing: string, progress: number): void {
    this.#isDrawn = true;
    const bar = '#'.repeat(Math.round(progress * WIDTH)).padEnd(WIDTH, '.');
    this.terminal.write(`\rsubledger: ${doing} [${bar}] ${toPercent(progress)}`);
  }
}

function toPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
