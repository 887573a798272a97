import { Transform, type TransformCallback } from 'node:stream';

const WIDTH = 30;
/** Often enough to look alive, seldom enough to cost nothing. */
const REDRAW_MS = 50;

/** A terminal, as far as a bar needs it. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Passes bytes on and shows how many of them went by; silent where the output is no terminal. */
export class UploadProgressBar extends Transform {
  private byteCount = 0;
  private drawnAtMs = -Infinity;

  constructor(
    private readonly label: string,
    private readonly totalBytes: number,
    private readonly terminal: Terminal,
  ) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.byteCount += bytes.length;
    this.draw(performance.now());
    done(null, bytes);
  }

  override _flush(done: TransformCallback): void {
    this.draw(Infinity);
    if (this.terminal.isTTY === true) this.terminal.write('\n');
    done();
  }

  private draw(nowMs: number): void {
    if (this.terminal.isTTY !== true || nowMs - this.drawnAtMs < REDRAW_MS) return;
    this.drawnAtMs = nowMs;
    const part = this.totalBytes === 0 ? 1 : Math.min(1, this.byteCount / this.totalBytes);
    const filled = Math.round(part * WIDTH);
    const bar = '#'.repeat(filled).padEnd(WIDTH, '.');
    this.terminal.write(`\r${this.label} [${bar}] ${Math.round(part * 100)}%`);
  }
}
