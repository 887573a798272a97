import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { listProcesses } from '../support/processes.js';
import { temporaryDataDir } from '../support/standalone.js';

const VITEST = path.resolve('node_modules/vitest/vitest.mjs');
/** The standalone, the event store, the API, the projector and the worker. */
const PROGRAMS = 5;
const CONFIG = 'test/tiers/fixtures/vitest.config.mjs';

describe('a standalone that tests share', () => {
  let folder: ReturnType<typeof temporaryDataDir>;
  let vitest: ChildProcess;
  let dataDir: string;

  beforeEach(async () => {
    folder = temporaryDataDir();
    const file = path.join(folder.dataDir, 'data-dir');
    vitest = spawn(
      process.execPath,
      [VITEST, 'run', '--config', CONFIG, '--root', '.', '--project', 'e2e'],
      { env: { ...process.env, FIXTURE_FILE: file }, stdio: 'ignore', detached: true },
    );
    await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    dataDir = readFileSync(file, 'utf8');
  });

  afterEach(() => {
    if (vitest.exitCode === null && vitest.signalCode === null)
      process.kill(-vitest.pid!, 'SIGKILL');
    folder.remove();
  });

  it.each([
    ['Ctrl-C', 'SIGINT'],
    ['kill -9', 'SIGKILL'],
  ] as const)('leaves nothing behind when Vitest ends by %s', async (_, signal) => {
    expect((await listProcesses(dataDir, '')).length).toBeGreaterThanOrEqual(PROGRAMS);
    process.kill(-vitest.pid!, signal);
    await eventually(async () => (await listProcesses(dataDir, '')).length === 0, {
      what: 'the end of all processes',
    });
    await eventually(() => !existsSync(dataDir), { what: 'the end of the data directory' });
  });
});
