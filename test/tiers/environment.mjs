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

/** The environment of all tiers. */
export default class TierEnvironment extends TestEnvironment {
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
  }

  async teardown() {
    releaseModules();
    await super.teardown();
    this.#process.restore();
  }
}
