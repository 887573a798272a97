import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { holdModules, releaseModules } from './held-modules.mjs';
import { keepModules, keepModulesOfFile } from './kept-modules.mjs';
import { shareLibraries } from './libraries.mjs';
import { OWN_REALM, runInOwnRealm } from './own-realm.mjs';
import { ProcessState } from './process-state.mjs';

/** As many as Node has. */
const STACK_FRAMES = 10;

runInOwnRealm();
holdModules();
shareLibraries();
keepModules();

/**
 * The environment of all tiers. Jest loads itself anew for each file, and with it an
 * AsyncLocalStorage that stays enabled: every promise of every later file is shown to all of them,
 * so that a Jest worker gets slower from file to file. Those that a file used are disabled after it.
 */
export default class TierEnvironment extends TestEnvironment {
  #used = new Set();
  #run = AsyncLocalStorage.prototype.run;
  #process = new ProcessState();

  constructor(config, context) {
    super(config, context);
    keepModulesOfFile(config.globalConfig, context.docblockPragmas);
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    const timers = { config: config.projectConfig, global: globalThis };
    this.fakeTimersModern = new this.fakeTimersModern.constructor(timers);
    this.fakeTimers = null;
  }

  getVmContext() {
    return OWN_REALM;
  }

  async setup() {
    await super.setup();
    // Jest asks for a hundred frames. Node formats the stack of each read that ends early, and Jest maps each frame.
    Error.stackTraceLimit = STACK_FRAMES;
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
    this.#process.restore();
  }
}
