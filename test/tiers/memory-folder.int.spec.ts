import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const MODULE = new URL('memory-folder.mjs', import.meta.url).href;
const root = mkdtempSync(path.join(tmpdir(), 'subledger-memory-'));
let memory: string;

beforeEach(() => {
  memory = mkdtempSync(path.join(root, 'memory-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The result for a run that ends at once, and whether the folder was there. */
function make(where: string, roomBytes: number): { folder?: string; exists: boolean } {
  const code = `import { existsSync } from 'node:fs';
    import { makeMemoryFolder } from '${MODULE}';
    const folder = makeMemoryFolder(${JSON.stringify(where)}, ${roomBytes});
    console.log(JSON.stringify({ folder, exists: existsSync(folder ?? '') }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code]);
  return JSON.parse(said.toString()) as { folder?: string; exists: boolean };
}

describe('the folder in memory of a run of tests', () => {
  it('is there until the run ends', () => {
    const { folder = '', exists } = make(memory, 1);
    expect([path.dirname(folder), exists]).toEqual([memory, true]);
    expect(existsSync(folder)).toBe(false);
  });

  it('is not made where there is no room, or no such file system', () => {
    expect(make(memory, Number.MAX_SAFE_INTEGER)).toEqual({ exists: false });
    expect(make(path.join(memory, 'none'), 1)).toEqual({ exists: false });
    expect(readdirSync(memory)).toEqual([]);
  });

  it('of a run that was killed is removed by the next one, and of one that still runs is not', () => {
    const ours = `subledger-tests-${process.pid}-a`;
    // More than any process has as its number.
    for (const name of [ours, 'subledger-tests-99999999-a', 'other']) {
      mkdirSync(path.join(memory, name));
    }
    make(memory, 1);
    expect(readdirSync(memory).sort()).toEqual(['other', ours]);
  });
});
