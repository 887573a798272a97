import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBooksDir } from './data-dir.js';

describe('the folder of the books', () => {
  it.each([
    [{}, {}, 'data/books'],
    [{}, { DATA_DIR: '/srv' }, '/srv/books'],
    [{}, { DATA_DIR: '/srv', BOOKS_DIR: '/var/books' }, '/var/books'],
    [{ dataDir: '/srv' }, { BOOKS_DIR: '/var/books' }, '/srv/books'],
  ])('of %j in %j is %s', (options, env, folder) => {
    expect(findBooksDir(options, env)).toBe(path.resolve(folder));
  });

  it('is refused where readers of Parquet take it for a pattern', () => {
    expect(() => findBooksDir({}, { BOOKS_DIR: '/var/books[1]' })).toThrow(
      'BOOKS_DIR must name a folder whose path has none of * ? [',
    );
  });
});
