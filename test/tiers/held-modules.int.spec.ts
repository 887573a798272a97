import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const FIXTURE = path.resolve('test/tiers/fixtures/forgotten-module.mjs');

it('holds the modules of a file until the next file is done, so that Node survives a late import', async () => {
  const flags = ['--expose-gc', '--experimental-vm-modules', '--no-warnings'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, FIXTURE]);
  expect(stdout.trim().split('\n')).toEqual(['imported one', 'let go']);
});
