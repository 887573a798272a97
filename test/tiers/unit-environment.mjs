import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import net from 'node:net';
import { TestEnvironment } from 'jest-environment-node';

/** Everything by which a process reaches another one, or starts one. */
const DOORS = [
  [net.Socket.prototype, 'connect', 'opened a connection'],
  [net.Server.prototype, 'listen', 'listened on a port'],
  [dgram.Socket.prototype, 'bind', 'bound a UDP port'],
  [dgram.Socket.prototype, 'send', 'sent a UDP message'],
  [childProcess.ChildProcess.prototype, 'spawn', 'started a process'],
  [childProcess, 'spawnSync', 'started a process'],
  [childProcess, 'execFileSync', 'started a process'],
  [childProcess, 'execSync', 'started a process'],
];

/**
 * The environment of the file on whose behalf something runs. In `npm test` a worker runs files of all
 * tiers, and a library may still try to reconnect for an earlier file, from a timer of that file: it is
 * refused, too, and is no fault of this file.
 */
const current = new AsyncLocalStorage();

/**
 * The environment of the unit tier: a spec that opens a socket or starts a process fails, also when
 * the code under test swallows the error. Node's modules are shared by all files that a Jest worker
 * runs, so that the doors are closed for a file and opened again after it.
 */
export default class UnitEnvironment extends TestEnvironment {
  #found = [];
  #reopen = [];

  async setup() {
    // This stands before the first await, so that the caller's next acts inherit it.
    current.enterWith(this);
    await super.setup();
    for (const [holder, name, deed] of DOORS) {
      const original = holder[name];
      const noteIfOurs = (message) => current.getStore() === this && this.#found.push(message);
      this.#reopen.push(() => (holder[name] = original));
      holder[name] = function refuse() {
        const message = `A unit spec ${deed}: name the file *.int.spec.ts, or do without.`;
        noteIfOurs(message);
        throw new Error(message);
      };
    }
  }

  /** Called by Jest: errors since the last test are this test's. */
  handleTestEvent({ name, test }) {
    if (name !== 'test_done') return;
    for (const message of this.#found.splice(0)) test.errors.push(new Error(message));
  }

  async teardown() {
    for (const reopen of this.#reopen) reopen();
    await super.teardown();
  }
}
