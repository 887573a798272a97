import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The loop of `npm run dev` over a small project: a source whose value the build and the program print. */
let folder: string;
let source: string;
let loop: ChildProcess;
let lines: AsyncIterator<string>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-rerun-'));
  source = path.join(folder, 'src', 'deep', 'value.json');
  mkdirSync(path.dirname(source), { recursive: true });
  writeFileSync(source, '1');
  const read = `require('fs').readFileSync(${JSON.stringify(source)}, 'utf8')`;
  const options = {
    folders: [path.join(folder, 'src')],
    build: ['-e', `const value = JSON.parse(${read}); console.log('built ' + value)`],
    start: ['-e', `console.log('started ' + ${read}); setInterval(() => {}, 1000)`],
  };
  const rerun = new URL('../../../tools/rerun.mjs', import.meta.url).href;
  const code = `const { rerunOnSave } = await import(${JSON.stringify(rerun)});
    const stop = await rerunOnSave(${JSON.stringify(options)});
    process.once('SIGTERM', () => void stop());`;
  loop = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  lines = createInterface({ input: loop.stdout! })[Symbol.asyncIterator]();
});

afterEach(async () => {
  const gone = once(loop, 'close');
  loop.kill('SIGTERM');
  expect((await gone)[0]).toBe(0);
  rmSync(folder, { recursive: true });
});

async function nextLine(): Promise<string | undefined> {
  const next = await lines.next();
  return next.done === true ? undefined : next.value;
}

/** As many editors save: another file that takes the place of the old one. */
function saveByRename(text: string): void {
  writeFileSync(`${source}.new`, text);
  renameSync(`${source}.new`, source);
}

describe('npm run dev', () => {
  it('builds and restarts after each save, in place or by rename', async () => {
    expect([await nextLine(), await nextLine()]).toEqual(['built 1', 'started 1']);
    writeFileSync(source, '2');
    expect([await nextLine(), await nextLine()]).toEqual(['built 2', 'started 2']);
    for (const value of ['3', '4']) {
      saveByRename(value);
      expect([await nextLine(), await nextLine()]).toEqual([`built ${value}`, `started ${value}`]);
    }
    writeFileSync(source, '5');
    expect([await nextLine(), await nextLine()]).toEqual(['built 5', 'started 5']);
  });

  it('waits for the next save after a build that failed', async () => {
    expect([await nextLine(), await nextLine()]).toEqual(['built 1', 'started 1']);
    saveByRename('no JSON');
    const errors = createInterface({ input: loop.stderr! });
    for await (const line of errors) if (line.includes('waiting for the next save')) break;
    saveByRename('2');
    expect([await nextLine(), await nextLine()]).toEqual(['built 2', 'started 2']);
  });
});
