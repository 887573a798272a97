import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GuideBooks, guideCode, writeGuideBooks } from './guide-books.js';

/** Packages are downloaded, and compilers take their time. */
const INSTALLED_WITHIN_MS = 600_000;
const POLARS = '0.24.1';

let books: GuideBooks;
let folder: string;
beforeAll(async () => {
  books = await writeGuideBooks();
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-readers-'));
});
afterAll(() => {
  books.remove();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string, args: readonly string[]) =>
  execFileSync(command, args, {
    ...{ encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...process.env, DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' },
  });
const listLines = (text: string) => text.trim().split('\n').sort();

it.each(['ParquetSharp', 'DuckDB.NET'])(
  'sums the books by %s as docs/books.md says, where there is a compiler',
  (name) => {
    // A file alone is a program from this version on.
    const { status, stdout } = spawnSync('dotnet', ['--version'], { encoding: 'utf8' });
    if (status !== 0 || !/^[1-9]\d\./.test(stdout)) return;
    // Named otherwise than its package: a program has its file's name.
    const file = path.join(folder, `read-by-${name}.cs`);
    writeFileSync(file, `#:property PublishAot=false\n${guideCode(name, books)}`);
    expect(listLines(run('dotnet', ['run', file]))).toEqual(books.expected);
  },
  INSTALLED_WITHIN_MS,
);

it(
  'sums the books by polars as docs/books.md says',
  () => {
    run('npm', ['init', '--yes']);
    run('npm', ['install', '--no-audit', '--no-fund', `nodejs-polars@${POLARS}`]);
    const print = 'for (const row of balance.rows()) console.log(row.join());';
    writeFileSync(path.join(folder, 'read.mjs'), `${guideCode('polars', books)}\n${print}`);
    expect(listLines(run(process.execPath, ['read.mjs']))).toEqual(books.expected);
  },
  INSTALLED_WITHIN_MS,
);
