import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/**
 * The setup of the unit tier: a spec that opens a socket or starts a process fails, also when the code
 * under test swallows the error. Files share a process, so the doors are closed for a file and opened
 * again after it.
 */

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
] as const;

/** The file on whose behalf something runs. A timer of an earlier file is refused as well, and is no fault of this one. */
const current = new AsyncLocalStorage<symbol>();
const file = Symbol('file');
const enter = () => current.enterWith(file);
enter();
beforeAll(enter);
beforeEach(enter);

const refused: Error[] = [];

const reopenings = DOORS.map(([holder, name, deed]) => {
  const original: unknown = Reflect.get(holder, name);
  Reflect.set(holder, name, () => {
    const error = new Error(`A unit spec ${deed}: name the file *.int.spec.ts, or do without.`);
    if (current.getStore() === file) refused.push(error);
    throw error;
  });
  return () => Reflect.set(holder, name, original);
});
// Named imports of Node's modules follow their objects from here on.
syncBuiltinESMExports();

afterEach(() => {
  const [first] = refused.splice(0);
  if (first !== undefined) throw first;
});

afterAll(() => {
  for (const reopen of reopenings) reopen();
  syncBuiltinESMExports();
});
