import { describe, expect, it } from 'vitest';
import { type BookFile, bookPath } from './book-file.js';
import { listMerges } from './merges.js';

const file = (period: string, first: number, environment: 'test' | 'production' = 'test') => {
  const part = { environment, period, first, last: first + 9 };
  return { ...part, path: bookPath(part) } as BookFile;
};
const files = (period: string, count: number) =>
  Array.from({ length: count }, (_, at) => file(period, at * 10));
const NOW = '2026-04-15T00:00:00.000Z';

describe('the files of a month', () => {
  it('become one when all apps have closed it', () => {
    const two = files('2026-03', 2);
    expect(listMerges(two, new Set(['2026-03']), NOW)).toEqual([]);
    expect(listMerges(two, new Set(['2026-04']), NOW)).toEqual([
      {
        part: { environment: 'test', period: '2026-03', first: 0, last: 19 },
        replaced: two.map(({ path }) => path),
      },
    ]);
    expect(listMerges(files('2026-03', 1), new Set(), NOW)).toEqual([]);
  });

  it('become one a month after its end where there are many, though an app has not closed it', () => {
    const open = new Set(['2026-02', '2026-03']);
    expect(listMerges(files('2026-02', 8), open, NOW)).toHaveLength(1);
    expect(listMerges(files('2026-02', 7), open, NOW)).toEqual([]);
    expect(listMerges(files('2026-03', 8), open, NOW)).toEqual([]);
    expect(listMerges(files('2026-02', 8), open, '2026-03-31T23:59:59.999Z')).toEqual([]);
  });

  it('of test apps and of production are never one', () => {
    const both = [file('2026-01', 0), file('2026-01', 10, 'production')];
    expect(listMerges(both, new Set(), NOW)).toEqual([]);
  });
});
