import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { listProcesses } from '../support/processes.js';
import { temporaryDataDir } from '../support/standalone.js';

const JEST = path.resolve('node_modules/jest/bin/jest.js');
/** The standalone, the event store, the API, the projector and the worker. */
const PROGRAMS = 5;
const FIXTURE = '**/tiers/fixtures/uses-a-standalone.fixture.ts';

describe('a standalone that tests share', () => {
  let folder: ReturnType<typeof temporaryDataDir>;
  let jest: ChildProcess;
  let dataDir: string;

  beforeEach(async () => {
    folder = temporaryDataDir();
    const file = path.join(folder.dataDir, 'data-dir');
    jest = spawn(
      process.execPath,
      ['--experimental-vm-modules', JEST, '--selectProjects', 'e2e', '-i', '--testMatch', FIXTURE],
      { env: { ...process.env, FIXTURE_FILE: file }, stdio: 'ignore', detached: true },
    );
    await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    dataDir = readFileSync(file, 'utf8');
  });

  afterEach(() => {
    if (jest.exitCode === null && jest.signalCode === null) process.kill(-jest.pid!, 'SIGKILL');
    folder.remove();
  });

  it.each([
    ['Ctrl-C', 'SIGINT'],
    ['kill -9', 'SIGKILL'],
  ] as const)('leaves nothing behind when Jest ends by %s', async (_, signal) => {
    expect((await listProcesses(dataDir, '')).length).toBeGreaterThanOrEqual(PROGRAMS);
    process.kill(-jest.pid!, signal);
    await eventually(async () => (await listProcesses(dataDir, '')).length === 0, {
      what: 'the end of all processes',
    });
    await eventually(() => !existsSync(dataDir), { what: 'the end of the data directory' });
  });
});
