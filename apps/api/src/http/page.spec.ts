import { describe, expect, it } from 'vitest';
import { createPageTokens, cutPage } from './page-token.js';

const tokens = createPageTokens(() => [Buffer.alloc(32, 1)]);
const byItself = (item: string) => item;
const page = (items: string[], limit: number, pageToken?: string) =>
  cutPage(
    items,
    byItself,
    { limit, ...(pageToken !== undefined && { pageToken }) },
    'list',
    tokens,
  );

describe('pages of a list in memory', () => {
  it('go through everything once', () => {
    const first = page(['a', 'b', 'c'], 2);
    expect(first.items).toEqual(['a', 'b']);
    expect(page(['a', 'b', 'c'], 2, first.nextPageToken)).toEqual({
      items: ['c'],
      nextPageToken: '',
    });
  });

  it('end without an empty one', () => {
    expect(page(['a', 'b'], 2).nextPageToken).toBe('');
    expect(page([], 2)).toEqual({ items: [], nextPageToken: '' });
  });

  it('are not shifted by what is added or removed meanwhile', () => {
    const { nextPageToken } = page(['b', 'd', 'f'], 2);
    expect(page(['a', 'b', 'c', 'e', 'f'], 2, nextPageToken).items).toEqual(['e', 'f']);
  });
});
