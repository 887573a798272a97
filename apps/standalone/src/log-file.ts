import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';

/** A log is set aside when it is opened and has grown beyond this; one former log is kept. */
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** How long a log that cannot be written is left alone before it is tried again. */
const REOPEN_AFTER_MS = 1_000;

/** Files that cannot be written now: reported once, however often the program starts meanwhile. */
const interrupted = new Set<string>();

/**
 * A program's log. A full disk must not end the programs: they go on, their lines are dropped, and the log comes back
 * by itself when there is room.
 */
export class LogFile {
  readonly #file: string;
  readonly #say: (text: string) => void;
  #stream: WriteStream | undefined;
  #reopenAtMs = 0;
  #isEnded = false;

  /** @param say tells a person, in a sentence, that the log is interrupted, and that it is back. */
  constructor(file: string, say: (text: string) => void) {
    this.#file = file;
    this.#say = say;
    this.#open();
  }

  write(chunk: Buffer | string): void {
    if (this.#isEnded) return;
    if (this.#stream === undefined && performance.now() >= this.#reopenAtMs) this.#open();
    this.#stream?.write(chunk);
  }

  end(): void {
    this.#isEnded = true;
    this.#stream?.end();
  }

  #open(): void {
    setAsideWhenLarge(this.#file);
    const stream = createWriteStream(this.#file, { flags: 'a', mode: 0o600 });
    this.#stream = stream;
    stream.on('error', (error) => this.#interrupt(error));
    // The disk may have cut the last line short.
    if (interrupted.has(this.#file)) stream.write('\n', (error) => this.#resume(error));
  }

  #interrupt(error: Error): void {
    this.#stream = undefined;
    this.#reopenAtMs = performance.now() + REOPEN_AFTER_MS;
    if (interrupted.has(this.#file)) return;
    interrupted.add(this.#file);
    this.#say(`${this.#file} cannot be written until there is room: ${error.message}.`);
  }

  #resume(error: Error | null | undefined): void {
    if (error || !interrupted.delete(this.#file)) return;
    this.#say(`${this.#file} is written again; the lines of meanwhile are missing in it.`);
  }
}

function setAsideWhenLarge(file: string): void {
  try {
    if (statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  } catch {
    // There is no log yet.
  }
}
