import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { keepCompiledCode } from './compiled-code.mjs';
import { holdModules, releaseModules } from './held-modules.mjs';

/** As many as Node has. */
const STACK_FRAMES = 10;

keepCompiledCode();
holdModules();

/**
 * The environment of all tiers. Jest loads itself anew for each file, and with it an
 * AsyncLocalStorage that stays enabled: every promise of every later file is shown to all of them,
 * so that a Jest worker gets slower from file to file. Those that a file used are disabled after it.
 */
export default class TierEnvironment extends TestEnvironment {
  #used = new Set();
  #run = AsyncLocalStorage.prototype.run;

  async setup() {
    await super.setup();
    // Jest asks for a hundred frames. Node formats the stack of each read that ends early, and Jest maps each frame.
    Error.stackTraceLimit = this.global.Error.stackTraceLimit = STACK_FRAMES;
    const used = this.#used;
    const run = this.#run;
    AsyncLocalStorage.prototype.run = function runAndNote(...args) {
      used.add(this);
      return run.apply(this, args);
    };
  }

  async teardown() {
    AsyncLocalStorage.prototype.run = this.#run;
    for (const storage of this.#used) storage.disable();
    releaseModules();
    await super.teardown();
  }
}
