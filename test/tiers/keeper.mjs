import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import './environment.mjs';
import process from 'node:process';

const MAIN = path.resolve(import.meta.dirname, '../../dist/test/support/keeper/main.js');
const RUNNING = Symbol.for('subledger.test-keeper');

/** Starts the keeper of the standalone that tests share; it starts none before it is asked for one. */
export async function setup() {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run "node tools/setup.mjs" first`);
  const folder = await mkdtemp(path.join(tmpdir(), 'subledger-keeper-'));
  const socket = path.join(folder, 'socket');
  // A process group of its own: Ctrl-C is for Vitest, by whose end the keeper's stdin ends.
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN, socket], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await Promise.race([once(child.stdout, 'data'), failed(child)]);
  process.env.SUBLEDGER_TEST_KEEPER = socket;
  globalThis[RUNNING] = { child, folder };
}

/** Stops the keeper and with it the standalone. @throws Error when it did not stop in good order. */
export async function teardown() {
  const { child, folder } = globalThis[RUNNING];
  const exited = once(child, 'exit');
  child.stdin.end();
  const [code] = await exited;
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error('the standalone that tests shared did not stop in good order');
}

async function failed(child) {
  const [code] = await once(child, 'exit');
  throw new Error(`the keeper of the standalone ended with ${code}`);
}
