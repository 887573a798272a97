import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** `subledger store copy` from one data directory into another, to be stopped or killed. */
export class RunningCopy {
  stdout = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;

  constructor(from: string, to: string, ...options: string[]) {
    const args = ['store', 'copy', '--from', from, '--to', to, '--json', ...options];
    this.#child = spawn(process.execPath, [path.resolve('dist/programs/subledger.js'), ...args], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.#ended = once(this.#child, 'close');
  }

  async end(signal?: NodeJS.Signals): Promise<unknown> {
    if (signal !== undefined) this.#child.kill(signal);
    return (await this.#ended)[0];
  }
}
