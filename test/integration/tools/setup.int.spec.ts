import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A machine that has Node and Redis, and neither a browser nor an installer of one. */
const folder = mkdtempSync(path.join(tmpdir(), 'subledger-path-'));
beforeAll(() => {
  symlinkSync(process.execPath, path.join(folder, 'node'));
  symlinkSync('/bin/sh', path.join(folder, 'redis-server'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string) {
  const env = { PATH: folder };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { env });
  return { status, output: `${String(stdout)}${String(stderr)}` };
}

describe('on a machine without a browser', () => {
  it('npm test gets ready all the same: the tests of pages ask for one themselves', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: { pretest: string };
    };
    const { status, output } = run(scripts.pretest);
    expect(status).toBe(0);
    expect(output).not.toContain('Chromium');
  });

  it('they say in one sentence what is missing where it cannot be installed', () => {
    const { status, output } = run('node tools/setup.mjs --browser-alone');
    expect(status).toBe(1);
    expect(output.trim()).toMatch(/^subledger: The tests of pages need Chromium\. Install it/);
  });
});
