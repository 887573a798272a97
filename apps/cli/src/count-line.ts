import type { Terminal } from './progress-bar.js';

/** Shows how many there are so far, where their whole number is not known; silent where the output is no terminal. */
export class CountLine {
  constructor(
    private readonly what: string,
    private readonly terminal: Terminal,
  ) {}

  draw(count: number): void {
    if (this.terminal.isTTY === true) this.terminal.write(`\r\u001b[K${count} ${this.what} so far`);
  }

  clear(): void {
    if (this.terminal.isTTY === true) this.terminal.write('\r\u001b[K');
  }
}
