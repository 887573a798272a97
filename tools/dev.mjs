/** Builds and starts the standalone, and does both again whenever a source changes. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { onStop } from './process.mjs';

/** Editors save several files at once: one restart for all of them. */
const SETTLE_MS = 200;

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'dist', 'programs', 'standalone.js');
let running;
let timer;

for (const folder of ['apps', 'libs', 'projections']) {
  watch(path.join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, SETTLE_MS);
  });
}
onStop(async () => {
  await stopRunning();
  process.exit(0);
});
await restart();

async function restart() {
  await stopRunning();
  const build = await ended(
    spawn(process.execPath, [path.join(root, 'tools', 'setup.mjs')], { stdio: 'inherit' }),
  );
  if (build !== 0) return;
  running = spawn(process.execPath, ['--enable-source-maps', main], { stdio: 'inherit' });
}

async function stopRunning() {
  if (!running || running.exitCode !== null) return;
  const gone = ended(running);
  running.kill('SIGTERM');
  await gone;
}

function ended(child) {
  return new Promise((resolve) => child.once('close', resolve));
}
