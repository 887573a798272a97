/** A loop for development: build and start, and both again after each save of a source. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { watch } from 'chokidar';

/** Editors save several files at once: one restart for all of them. */
const SETTLE_MS = 200;

/**
 * Builds and starts at once and after each save below the folders, in place or by renaming a temporary
 * file, which Node's own recursive watch misses on Linux. A save during a build begins another build; a failed
 * build waits for the next save.
 *
 * @param folders to watch.
 * @param build the arguments with which Node builds.
 * @param start the arguments with which Node starts the program.
 * @returns the function that stops the program and the watch.
 */
export async function rerunOnSave({ folders, build, start }) {
  const loop = new Loop(build, start);
  const watcher = watch(folders, { ignoreInitial: true });
  let timer;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void loop.run(), SETTLE_MS);
  });
  await once(watcher, 'ready');
  void loop.run();
  return async () => {
    clearTimeout(timer);
    await watcher.close();
    await loop.stop();
  };
}

class Loop {
  #program;
  #isWanted = false;
  #isAtWork = false;
  #build;
  #start;

  constructor(build, start) {
    this.#build = build;
    this.#start = start;
  }

  async run() {
    this.#isWanted = true;
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.stop();
      const [code] = await once(node(this.#build), 'close');
      if (code !== 0) console.error('subledger: waiting for the next save ...');
      else if (!this.#isWanted) this.#program = node(this.#start);
    }
    this.#isAtWork = false;
  }

  async stop() {
    const program = this.#program;
    this.#program = undefined;
    if (program === undefined || program.exitCode !== null || program.signalCode !== null) return;
    program.kill('SIGTERM');
    await once(program, 'close');
  }
}

function node(args) {
  return spawn(process.execPath, args, { stdio: 'inherit' });
}
