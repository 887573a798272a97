import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Row {
  readonly file: string;
  /** What the test is called, or begins with. */
  readonly name: string;
}

describe('the lessons of others (docs/lessons.md)', () => {
  it('each name a test that there is', () => {
    const rows = readRows();
    expect(rows.length).toBeGreaterThan(30);
    const missing = rows.filter(({ file, name }) => !existsSync(file) || !hasTest(file, name));
    expect(missing).toEqual([]);
  });
});

/** Of all tables: each row has a lesson, and the one test that holds it. */
function readRows(): Row[] {
  const lines = readFileSync('docs/lessons.md', 'utf8').split('\n');
  const rows = lines.filter((line) => /^\| (?!lesson|-)/.test(line));
  return rows.map((row) => {
    const [, file = '', name = ''] = /\| `([^`]+)`: (.+?) +\|$/.exec(row) ?? [];
    expect({ row, file, name }).toEqual({ row, file: expect.stringMatching(/\.ts$/), name });
    return { file, name };
  });
}

function hasTest(file: string, name: string): boolean {
  const text = readFileSync(file, 'utf8');
  return name !== '' && ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}`));
}
