import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readCatalog } from './parsed-answers.js';

const IMAGE = 'https://cdn.game.example/sword.png';
const item = (image: string) => ({
  ...{ id: 'sword', name: 'Sword', description: 'Shines.', image },
  price: { currency: 'USD', amount: '4.99' },
});
const answer = (image: string) => Buffer.from(JSON.stringify({ rows: [{ items: [item(image)] }] }));
const read = (body: Buffer, appId = 'app_1', allowInsecure = false) =>
  readCatalog(appId, body, { allowInsecure });

describe('an answer of a catalog', () => {
  it('of the same bytes is read once, and of others anew', () => {
    const first = read(answer(IMAGE));
    expect(read(answer(IMAGE))).toBe(first);
    const other = read(answer(`${IMAGE}?2`));
    expect(other).toMatchObject({ catalog: { rows: [{ items: [{ image: `${IMAGE}?2` }] }] } });
  });

  it('is not taken for one of the same length and sum', () => {
    const [one, other] = findTwoOfOneSum();
    for (const image of [one, other, one]) {
      expect(read(answer(image))).toMatchObject({ catalog: { rows: [{ items: [{ image }] }] } });
    }
  });

  it('is of its own app alone', () => {
    const of = (appId: string) => read(answer(IMAGE), appId);
    expect(of('app_2')).toBe(of('app_2'));
    expect(of('app_3')).not.toBe(of('app_2'));
  });

  it('that a test app may have is none of another app', () => {
    const local = answer('http://127.0.0.1:9/sword.png');
    for (const allowInsecure of [true, false, true]) {
      expect(read(local, 'app_1', allowInsecure)).toMatchObject({ ok: allowInsecure });
    }
  });
});

/** Sums have 32 bits: among a hundred thousand of one length some two have the same. */
function findTwoOfOneSum(): readonly [string, string] {
  const bySum = new Map<number, string>();
  for (let number = 1_000_000; number < 2_000_000; number += 1) {
    // Names that differ in few bits never have the same sum.
    const image = `${IMAGE}?${Math.sin(number).toFixed(15).replace('-', '1')}`.slice(0, 50);
    const sum = crc32(answer(image));
    const before = bySum.get(sum);
    if (before !== undefined && before !== image && before.length === image.length) {
      return [before, image];
    }
    bySum.set(sum, image);
  }
  throw new Error('no two have the same sum');
}
