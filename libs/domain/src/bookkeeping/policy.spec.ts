import { describe, expect, it } from 'vitest';
import { classify, pickClassing, type PostingPolicy } from './policy.js';

const policy: PostingPolicy = {
  zone: 'UTC',
  itemClasses: [
    { match: { metadata: { key: 'kind', value: 'skin' } }, name: 'skin', lifeDays: 1 },
    { match: { id: 'skin-gold' }, name: 'legendary', lifeDays: 761 },
    { match: { prefix: 'skin-' }, name: 'durable', lifeDays: 365 },
    { match: { prefix: '' }, name: 'consumable', lifeDays: null },
  ],
};

/** rules/finance 4 */
describe('the class of an item', () => {
  it.each([
    ['skin-gold', 'legendary', 761],
    ['skin-golden', 'durable', 365],
    ['gems', 'consumable', null],
  ])('%s is %s: the first match counts', (itemId, name, lifeDays) => {
    expect(classify({ itemId }, policy)).toMatchObject({ name, lifeDays });
  });

  it('is none where nothing matches, and the item is earned at once', () => {
    const itemClasses = policy.itemClasses.slice(0, 3);
    expect(classify({ itemId: 'gems', classedBy: { kind: 'gem' } }, { itemClasses })).toEqual({
      name: '',
      lifeDays: null,
    });
  });

  it('is that of a value in its metadata, of which the events hold the keys that policies name', () => {
    const metadata = { kind: 'skin', owner: 'Ann' };
    const classedBy = pickClassing(metadata, [policy]);
    expect(classedBy).toEqual({ kind: 'skin' });
    expect(classify({ itemId: 'gems', classedBy }, policy)).toMatchObject({ name: 'skin' });
    expect(pickClassing({ toString: 'skin' }, [policy])).toEqual({});
    expect(pickClassing(metadata, [])).toEqual({});
  });
});
