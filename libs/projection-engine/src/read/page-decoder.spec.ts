import { describe, expect, it } from 'vitest';
import type { Projection } from '../define/index.js';
import { REMEMBERED_PAGE_OVERHEAD, REMEMBERED_PAGES_LENGTH } from '../limits.js';

/** No more fit in, whatever their texts. */
const MOST_PAGES = Math.ceil(REMEMBERED_PAGES_LENGTH / REMEMBERED_PAGE_OVERHEAD);
import { PageDecoder } from './page-decoder.js';

// Of a projection, no more than this is looked at.
const offers = { documents: { of: 'stream' } } as Projection<{ at: number }>;

const LIMIT = 2;
const MEMBERS = '["00mzjouv40one","00mzjouv30two"]';
const stored = (at: number, checkpoint = 'c1') => ({
  members: MEMBERS,
  documents: `[[0,{"at":${at}}],[4,{"at":0}]]`,
  checkpoint,
});
const EMPTY = { members: '[]', documents: '[]', checkpoint: 'c1' };

/** Remembers pages of two. */
function create() {
  const pages = new PageDecoder(offers);
  const remember = (name: string, page: typeof EMPTY) => pages.remember(name, page, LIMIT);
  return { pages, remember };
}

describe('a page that is remembered', () => {
  it('is not made again as long as Redis answers with the same', () => {
    const { remember } = create();
    const first = remember('page', stored(1));
    expect(first.documents).toEqual([
      { revision: 0, state: { at: 1 } },
      { revision: 4, state: { at: 0 } },
    ]);
    expect(remember('page', stored(1))).toBe(first);
    expect(remember('page', stored(2)).documents[0]?.state).toEqual({ at: 2 });
    expect(remember('page', EMPTY).documents).toEqual([]);
    expect(remember('another', stored(1))).not.toBe(first);
  });

  it('is recalled with the last checkpoint at which it was the same', () => {
    const { pages, remember } = create();
    expect(pages.recall('page')).toBeUndefined();
    const page = remember('page', stored(1, 'c1'));
    expect(pages.recall('page')).toMatchObject({ checkpoint: 'c1' });
    expect(remember('page', stored(1, 'c2'))).toBe(page);
    expect(pages.recall('page')).toMatchObject({ checkpoint: 'c2' });
    expect(pages.recall('page')?.page).toBe(page);
  });

  it('is not forgotten for lists that nothing is in, however many are asked for', () => {
    const { pages, remember } = create();
    const first = remember('page', stored(1));
    remember('none', EMPTY);
    expect(pages.recall('none')).toBeUndefined();
    for (let at = 0; at <= MOST_PAGES; at += 1) remember(`none ${at}`, EMPTY);
    expect(remember('page', stored(1))).toBe(first);
  });

  it('is forgotten for later ones, of which so many are remembered', () => {
    const { remember } = create();
    const first = remember('page', stored(1));
    remember('page 1', stored(1));
    expect(remember('page', stored(1))).toBe(first);
    for (let at = 1; at <= MOST_PAGES; at += 1) remember(`page ${at}`, stored(2));
    expect(remember('page', stored(1))).not.toBe(first);
  });

  it('takes room with its name', () => {
    const { remember } = create();
    const first = remember('page', stored(1));
    const half = 'x'.repeat(REMEMBERED_PAGES_LENGTH / 2);
    remember(`${half}1`, stored(1));
    expect(remember('page', stored(1))).toBe(first);
    remember(`${half}2`, stored(1));
    remember(`${half}3`, stored(1));
    expect(remember('page', stored(1))).not.toBe(first);
  });

  it('goes on behind its last document where there are more', () => {
    const { pages } = create();
    expect(pages.remember('page', stored(1), 1).nextAfter).toBe('00mzjouv40one');
    expect(pages.remember('whole', stored(1), LIMIT).nextAfter).toBeUndefined();
  });
});

describe('a page that is not remembered', () => {
  it('is made each time', () => {
    const { pages } = create();
    expect(pages.decode(stored(1))).not.toBe(pages.decode(stored(1)));
    expect(pages.recall('page')).toBeUndefined();
  });

  it('names no document that is lost', () => {
    const lost = { members: '["00mzjouv40one"]', documents: '[null]' };
    expect(() => new PageDecoder(offers).decode(lost)).toThrow('a list names a lost document');
  });
});
