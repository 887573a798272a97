import process from 'node:process';
import { Transform } from 'node:stream';

const WIDTH = 30;
/** Often enough to look alive, seldom enough to cost nothing. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** A terminal, as far as a bar needs it. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows which share of something is done, and how long the rest takes; silent where the output is no terminal. */
export class ShareBar {
  #drawnAtMs = -Infinity;
  #startedAtMs = performance.now();

  constructor(
    private label: string,
    private readonly terminal: Terminal,
  ) {}

  /**
   * @param done from 0 to 1; new work since it began may make it more.
   * @param label of another step, which begins with it.
   */
  draw(done: number, label = this.label): void {
    const nowMs = performance.now();
    if (label !== this.label) {
      this.label = label;
      this.#startedAtMs = nowMs;
      this.#drawnAtMs = -Infinity;
    }
    if (this.terminal.isTTY !== true || nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    const share = Math.min(1, done);
    const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.');
    const seconds = Math.ceil(((nowMs - this.#startedAtMs) / 1000) * (1 / share - 1));
    const left = share === 0 ? '' : `, ${seconds} s left`;
    this.terminal.write(`${CLEAR_LINE}${this.label} [${bar}] ${Math.floor(share * 100)} %${left}`);
  }

  clear(): void {
    if (this.terminal.isTTY === true) this.terminal.write(CLEAR_LINE);
  }
}

/** Does something that shows its share by a bar on stderr, which is gone at its end. */
export async function withBar<Result>(
  label: string,
  act: (bar: ShareBar) => Promise<Result>,
): Promise<Result> {
  const bar = new ShareBar(label, process.stderr);
  return act(bar).finally(() => bar.clear());
}

/** A stream that passes bytes on and shows by a bar how many of them went by. */
export function showUpload(totalBytes: number, terminal: Terminal): Transform {
  const bar = new ShareBar('uploading', terminal);
  let byteCount = 0;
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      byteCount += bytes.length;
      bar.draw(byteCount / totalBytes);
      done(null, bytes);
    },
    flush(done) {
      bar.clear();
      done();
    },
  });
}

/** Shows how many there are so far, where their whole number is not known; silent where the output is no terminal. */
export class CountLine {
  constructor(
    private readonly what: string,
    private readonly terminal: Terminal,
  ) {}

  draw(count: number): void {
    if (this.terminal.isTTY === true) {
      this.terminal.write(`${CLEAR_LINE}${count} ${this.what} so far`);
    }
  }

  clear(): void {
    if (this.terminal.isTTY === true) this.terminal.write(CLEAR_LINE);
  }
}
