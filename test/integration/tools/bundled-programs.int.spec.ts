import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';

const PROGRAMS = path.resolve('dist/programs');
/** The programs of the ledger name a setting that is missing; the others say how they are called. */
const FIRST_WORDS = /EVENTSTOREDB_URL is missing|--help/;

function runNode(args: readonly string[]) {
  const options = { encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
  return spawnSync(process.execPath, args, options);
}

describe('a program that is built', () => {
  it.each(readdirSync(PROGRAMS).filter((file) => file.endsWith('.js')))(
    'loads all of its modules: %s',
    (file) => {
      const { stdout, stderr } = runNode([path.join(PROGRAMS, file), '--help']);
      expect(stdout + stderr).toMatch(FIRST_WORDS);
    },
  );

  it('names lines of the sources where Node is to map them', () => {
    const flags = ['--enable-source-maps', '--stack-trace-limit=50'];
    const trace = "process.on('exit', () => console.log(new Error().stack));";
    const traced = `data:text/javascript,${encodeURIComponent(trace)}`;
    const { stdout } = runNode([...flags, '--import', traced, path.join(PROGRAMS, 'api.js')]);
    expect(stdout).toMatch(/apps\/api\/src\/main\.ts:\d+/);
  });
});
