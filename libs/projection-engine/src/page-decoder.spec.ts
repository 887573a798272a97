import { describe, expect, it } from '@jest/globals';
import type { Projection } from './define/index.js';
import { PageDecoder } from './page-decoder.js';

// Of a projection, no more than this is looked at.
const offers = { documents: { of: 'stream' }, remembersPages: true } as Projection<{ at: number }>;

const MEMBERS = '["00mzjouv40one","00mzjouv30two"]';
const stored = (at: number) => ({ members: MEMBERS, documents: `[[0,{"at":${at}}],[4,{"at":0}]]` });
const name = () => 'page';

describe('a page that is remembered', () => {
  it('is not made again as long as Redis answers with the same', () => {
    const pages = new PageDecoder(offers);
    const first = pages.decode(name, stored(1));
    expect(first.map(({ document }) => document)).toEqual([
      { revision: 0, state: { at: 1 } },
      { revision: 4, state: { at: 0 } },
    ]);
    expect(pages.decode(name, stored(1))).toBe(first);
    expect(pages.decode(name, stored(2))[0]?.document.state).toEqual({ at: 2 });
    expect(pages.decode(name, { members: '[]', documents: '[]' })).toEqual([]);
    expect(pages.decode(() => 'another', stored(1))).not.toBe(first);
  });

  it('is made each time of a read model that is not said to remember any', () => {
    const pages = new PageDecoder({ ...offers, remembersPages: false });
    expect(pages.decode(name, stored(1))).not.toBe(pages.decode(name, stored(1)));
  });

  it('names no document that is lost', () => {
    const lost = { members: '["00mzjouv40one"]', documents: '[null]' };
    expect(() => new PageDecoder(offers).decode(name, lost)).toThrow(
      'a list names a lost document',
    );
  });
});
