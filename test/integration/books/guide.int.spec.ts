import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuckDb } from '#books';
import { type GuideBooks, guideCode, writeGuideBooks } from './guide-books.js';

/** The lines of `docs/books.md` for DuckDB and hyparquet; `guide.long.spec.ts` runs the others. */
let books: GuideBooks;
beforeAll(async () => {
  books = await writeGuideBooks();
});
afterAll(() => books.remove());

it("sums the books by DuckDB as docs/books.md says, and not a killed bookkeeper's file", async () => {
  const statements = guideCode('DuckDB', books)
    .split(/;\n/)
    .filter((each) => each.trim() !== '');
  const rows = await DuckDb.with(books.folder, async (duckDb) => {
    for (const statement of statements.slice(0, -1)) await duckDb.run(statement);
    return duckDb.all(statements.at(-1) ?? '');
  });
  expect(rows.map((row) => Object.values(row).map(String).join(','))).toEqual(books.expected);
});

it('sums the books by hyparquet as docs/books.md says', () => {
  const code = `${guideCode('hyparquet', books)}
    for (const [key, { debit, credit }] of balance) console.log([key, debit, credit].join());`;
  const args = ['--input-type=module', '--eval', code];
  const lines = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(lines.trim().split('\n').sort()).toEqual(books.expected);
});
