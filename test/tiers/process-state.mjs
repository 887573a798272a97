import process from 'node:process';

/** lmdb adds one when it opens its first file, for all files that it will open. */
const STAYING = 'exit';

/** What tests may change of the process that they share with the later files, to be put back after a file. */
export class ProcessState {
  #env = { ...process.env };
  #exit = process.exit;
  #exitCode = process.exitCode;
  #console = globalThis.console;
  #symbols = new Set(Object.getOwnPropertySymbols(globalThis));
  #listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));

  restore() {
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#env)) delete process.env[name];
    }
    Object.assign(process.env, this.#env);
    process.exit = this.#exit;
    process.exitCode = this.#exitCode;
    globalThis.console = this.#console;
    this.#removeListeners();
    // Jest keeps its state in symbols of its global object, and one of them is not to be removed.
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (!this.#symbols.has(symbol)) Reflect.deleteProperty(globalThis, symbol);
    }
  }

  #removeListeners() {
    for (const name of process.eventNames()) {
      if (name === STAYING) continue;
      const before = this.#listeners.get(name) ?? [];
      for (const listener of process.listeners(name)) {
        if (!before.includes(listener)) process.removeListener(name, listener);
      }
    }
  }
}
