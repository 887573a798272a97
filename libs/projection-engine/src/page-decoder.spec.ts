import { describe, expect, it } from '@jest/globals';
import type { Projection } from './define/index.js';
import { REMEMBERED_PAGES, REMEMBERED_PAGES_LENGTH } from './limits.js';
import { PageDecoder } from './page-decoder.js';

// Of a projection, no more than this is looked at.
const offers = { documents: { of: 'stream' } } as Projection<{ at: number }>;

const MEMBERS = '["00mzjouv40one","00mzjouv30two"]';
const stored = (at: number) => ({ members: MEMBERS, documents: `[[0,{"at":${at}}],[4,{"at":0}]]` });
const EMPTY = { members: '[]', documents: '[]' };

describe('a page that is remembered', () => {
  it('is not made again as long as Redis answers with the same', () => {
    const pages = new PageDecoder(offers);
    const first = pages.remember('page', stored(1));
    expect(first.map(({ document }) => document)).toEqual([
      { revision: 0, state: { at: 1 } },
      { revision: 4, state: { at: 0 } },
    ]);
    expect(pages.remember('page', stored(1))).toBe(first);
    expect(pages.remember('page', stored(2))[0]?.document.state).toEqual({ at: 2 });
    expect(pages.remember('page', EMPTY)).toEqual([]);
    expect(pages.remember('another', stored(1))).not.toBe(first);
  });

  it('is not forgotten for lists that nothing is in, however many are asked for', () => {
    const pages = new PageDecoder(offers);
    const first = pages.remember('page', stored(1));
    const empty = pages.remember('none', EMPTY);
    expect(pages.remember('none', EMPTY)).not.toBe(empty);
    for (let at = 0; at <= REMEMBERED_PAGES; at += 1) pages.remember(`none ${at}`, EMPTY);
    expect(pages.remember('page', stored(1))).toBe(first);
  });

  it('is forgotten for later ones, of which so many are remembered', () => {
    const pages = new PageDecoder(offers);
    const first = pages.remember('page', stored(1));
    for (let at = 1; at < REMEMBERED_PAGES; at += 1) pages.remember(`page ${at}`, stored(1));
    expect(pages.remember('page', stored(1))).toBe(first);
    for (let at = 1; at <= REMEMBERED_PAGES; at += 1) pages.remember(`page ${at}`, stored(2));
    expect(pages.remember('page', stored(1))).not.toBe(first);
  });

  it('takes room with its name', () => {
    const pages = new PageDecoder(offers);
    const first = pages.remember('page', stored(1));
    const half = 'x'.repeat(REMEMBERED_PAGES_LENGTH / 2);
    pages.remember(`${half}1`, stored(1));
    expect(pages.remember('page', stored(1))).toBe(first);
    pages.remember(`${half}2`, stored(1));
    pages.remember(`${half}3`, stored(1));
    expect(pages.remember('page', stored(1))).not.toBe(first);
  });
});

describe('a page that is not remembered', () => {
  it('is made each time', () => {
    const pages = new PageDecoder(offers);
    expect(pages.decode(stored(1))).not.toBe(pages.decode(stored(1)));
  });

  it('names no document that is lost', () => {
    const lost = { members: '["00mzjouv40one"]', documents: '[null]' };
    expect(() => new PageDecoder(offers).decode(lost)).toThrow('a list names a lost document');
  });
});
