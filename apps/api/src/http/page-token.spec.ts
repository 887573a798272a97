import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ApiError } from '#nest/errors';
import { createPageTokens, identifyDocumentList } from './page-token.js';

const tokens = createPageTokens(() => [Buffer.alloc(32, 1)]);
const LIST = '["payments","app_1","sub_1"]';

describe('a page token', () => {
  it('gives back the cursor that it was made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (cursor) => {
        const token = tokens.next(LIST, cursor);
        expect(token).toMatch(/^[\w-]+$/);
        expect(tokens.read(LIST, token)).toBe(cursor);
      }),
    );
  });

  it('is read as long as the key that signed it is kept', () => {
    const [present, former] = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)];
    const rotated = createPageTokens(() => [present, former]);
    expect(rotated.read(LIST, tokens.next(LIST, 'pay_1'))).toBe('pay_1');
    const dropped = createPageTokens(() => [present]);
    expect(dropped.read(LIST, rotated.next(LIST, 'pay_1'))).toBe('pay_1');
  });

  it('is empty on the last page, and none or an empty one is the first', () => {
    expect(tokens.next(LIST, undefined)).toBe('');
    expect(tokens.read(LIST, undefined)).toBeUndefined();
    expect(tokens.read(LIST, '')).toBeUndefined();
  });

  it('goes on in the order in which it was given alone, be that the earlier or the later one', () => {
    const ordered = (orderedSince?: number) =>
      identifyDocumentList({ name: 'payments', ...(orderedSince && { orderedSince }) }, 'sub_1');
    const given = [undefined, 7, 12].map((since) => tokens.next(ordered(since), '00mz pay_1'));
    const [ofFirst = '', ofSeventh = '', ofTwelfth = ''] = given;
    expect(tokens.read(ordered(), ofFirst)).toBe('00mz pay_1');
    expect(tokens.read(ordered(1), ofFirst)).toBe('00mz pay_1');
    expect(tokens.read(ordered(7), ofSeventh)).toBe('00mz pay_1');
    for (const other of [ofFirst, ofTwelfth]) {
      expect(() => tokens.read(ordered(7), other)).toThrow(
        expect.objectContaining({
          ...{ status: 'ABORTED', http: 409, reason: 'LIST_ORDER_CHANGED' },
          message: expect.stringContaining('from its first page, without a pageToken') as string,
        }),
      );
    }
  });

  it('of another list is refused as such, whatever its order', () => {
    const named = (id: string, orderedSince: number) =>
      identifyDocumentList({ name: 'payments', orderedSince }, id);
    const foreign = tokens.next(named('sub_2', 7), 'pay_1');
    expect(() => tokens.read(named('sub_1', 8), foreign)).toThrow(
      expect.objectContaining({ reason: 'INVALID_FIELDS' }),
    );
  });

  const good = tokens.next(LIST, 'pay_1');

  it.each([
    ['of another list', tokens.next('["payments","app_1","sub_2"]', 'pay_1')],
    ['of another key', createPageTokens(() => [Buffer.alloc(32, 2)]).next(LIST, 'pay_1')],
    ['too short', 'AAAA'],
    ['with another cursor', Buffer.from(`${'x'.repeat(12)}1 pay_1`).toString('base64url')],
    ['without an order', Buffer.from(`${'x'.repeat(12)}pay_1`).toString('base64url')],
    ['with something appended', `${good}!`],
    ['with padding', `${good}=`],
    ['cut off', good.slice(0, -2)],
    ['no token at all', '💥'],
  ])('that is %s is refused', (_, token) => {
    expect(() => tokens.read(LIST, token)).toThrow(ApiError);
  });

  it('is refused whichever of its characters is altered', () => {
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.constantFrom('A', 'a', '0', '_', '-'),
        (at, character) => {
          fc.pre(good[at] !== character);
          const altered = good.slice(0, at) + character + good.slice(at + 1);
          expect(() => tokens.read(LIST, altered)).toThrow(ApiError);
        },
      ),
    );
  });
});
