import { execFile } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnLedger } from '../support/fixture.js';
import { temporaryDataDir } from '../support/standalone.js';

/** It compiles a program with its types, twice. */
const LIMIT_MS = 900_000;
const NEST = path.resolve('node_modules/@nestjs/cli/bin/nest.js');
/** All that the command line of Nest needs of a clone, to build one program. */
const CLONED = [
  ...['apps/cli', 'libs', 'projections', 'package.json'],
  ...['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'],
];
const ledger = useOwnLedger();
const clone = temporaryDataDir();

beforeAll(() => {
  for (const name of CLONED) {
    cpSync(name, path.join(clone.dataDir, name), { recursive: true });
  }
  symlinkSync(path.resolve('node_modules'), path.join(clone.dataDir, 'node_modules'));
});
afterAll(() => clone.remove());

function nest(...args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: ledger.standalone.dataDir };
  return new Promise((resolve) => {
    const options = { cwd: clone.dataDir, env, timeout: LIMIT_MS };
    const child = execFile(process.execPath, [NEST, ...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, output: `${stdout}${stderr}` });
    });
  });
}

const emitted = (file: string) => existsSync(path.join(clone.dataDir, 'dist/apps/cli', file));

describe('the command line of Nest', () => {
  it(
    'builds a program, and starts it',
    async () => {
      const built = await nest('build', 'cli');
      expect(built).toEqual({ code: 0, output: expect.any(String) });
      expect(emitted('src/main.js')).toBe(true);
      expect(emitted('src/report.spec.js')).toBe(false);
      const started = await nest('start', 'cli', '--', 'webhooks', 'status', '--json');
      expect(started.code).toBe(0);
      expect(JSON.parse(started.output)).toMatchObject({ apps: expect.any(Array) });
    },
    LIMIT_MS,
  );
});
