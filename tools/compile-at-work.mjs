/**
 * Runs the built programs for a moment, at work on a ledger of their own, and keeps what V8 has compiled of them by
 * the end: of one that is only loaded it has compiled a part (decision 0057). Where there is no Redis, as in the build
 * of an image, or the ledger does not start, what was kept of the loaded programs stays.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** A ledger that is not ready, or not gone, by then is killed. */
const LIMIT_MS = 60_000;

/** @param programs the folder in which they are. */
export async function compileAtWork(programs) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).error) return;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-compiling-'));
  const keeper = pathToFileURL(path.join(programs, 'keep-compiled.mjs')).href;
  const env = {
    ...{ PATH: process.env.PATH, TMPDIR: dataDir, DATA_DIR: dataDir },
    ...{ PORT: '0', STOREFRONT_PORT: '0', NODE_OPTIONS: `--import ${keeper}` },
  };
  try {
    await runLedger(path.join(programs, 'standalone.js'), env);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runLedger(program, env) {
  const ledger = spawn(process.execPath, [program, '--json'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const closed = once(ledger, 'close');
  const timer = setTimeout(() => ledger.kill('SIGKILL'), LIMIT_MS);
  const ready = new Promise((resolve) => {
    createInterface({ input: ledger.stdout }).on('line', (line) => {
      if (line.includes('"ready":true')) resolve(true);
    });
  });
  if (await Promise.race([ready, closed.then(() => false)])) ledger.kill('SIGTERM');
  await closed;
  clearTimeout(timer);
}
