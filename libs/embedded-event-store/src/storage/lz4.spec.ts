import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compress, Dictionary, uncompress } from './lz4.js';

const WORDS = Buffer.from(
  '{"amount":{"amountMinor":"999","currency":"USD"},"paymentMethod":"pm_ok"}',
);
const dictionary = new Dictionary(WORDS);
const none = new Dictionary(Buffer.alloc(0));

/** Random bytes, runs of one, parts of the dictionary, and all of them again: what blocks are made of. */
const part = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.tuple(fc.nat(255), fc.nat(2000)).map(([byte, count]) => Buffer.alloc(count, byte)),
  fc.tuple(fc.nat(WORDS.length), fc.nat(80)).map(([at, count]) => WORDS.subarray(at, at + count)),
);
const content = fc
  .array(part, { maxLength: 8 })
  .map((parts) => Buffer.concat([...parts, ...parts.slice(0, 3)]));

/** Packed by lz4_flex, with `WORDS`. */
const PACKED_BY_OTHERS = Buffer.from(
  '0449000f3f0006af455552227d20616e64202b000d6022455552227d',
  'hex',
);
const SAID = '{"amountMinor":"999","currency":"EUR"} and {"amountMinor":"999","currency":"EUR"}';

describe('a block', () => {
  it.each([dictionary, none])('is shorter than its content, and gives it back', (words) => {
    const check = fc.property(content, (said) => {
      const block = compress(said, words);
      if (!block) return;
      expect(block.length).toBeLessThan(said.length);
      expect(uncompress(block, 0, said.length, words)?.equals(said)).toBe(true);
    });
    fc.assert(check, { numRuns: 300 });
  });

  it('is made the same whatever was packed before, and however much', () => {
    const said = Buffer.from(SAID);
    const first = compress(said, dictionary);
    compress(Buffer.alloc(70_000, 'something else, '), dictionary);
    expect(compress(said, dictionary)).toEqual(first);
    const large = randomBytes(2 ** 20);
    for (let mebibytes = 0; mebibytes < 2 ** 11; mebibytes += 1) compress(large, dictionary);
    expect(compress(said, dictionary)).toEqual(first);
  });

  it('reaches back to what lies up to 64 kB before, and no further', () => {
    const mark = Buffer.from('a text that stands here twice and is found again');
    const far = (bytes: number) => Buffer.concat([mark, fill(bytes), mark, Buffer.alloc(2000)]);
    for (const said of [far(65_000), far(66_000)]) {
      const block = compress(said, none);
      expect(uncompress(block!, 0, said.length, none)?.equals(said)).toBe(true);
    }
  });

  it('is not made of what does not repeat itself', () => {
    expect(compress(Buffer.from('{}[0]'), dictionary)).toBeUndefined();
    expect(compress(Buffer.alloc(0), dictionary)).toBeUndefined();
    expect(compress(fill(500), none)).toBeUndefined();
  });

  it('is read as other libraries wrote it', () => {
    const said = uncompress(PACKED_BY_OTHERS, 0, SAID.length, dictionary);
    expect(said?.toString()).toBe(SAID);
  });
});

describe('what is no block', () => {
  const said = Buffer.from(SAID);
  const block = compress(said, dictionary)!;

  it.each([-1, 1])('is noticed by a length that is wrong by %i', (by) => {
    expect(uncompress(block, 0, said.length + by, dictionary)).toBeUndefined();
  });

  it('is noticed where it was cut off, and where its words are missing', () => {
    expect(uncompress(block.subarray(0, -1), 0, said.length, dictionary)).toBeUndefined();
    expect(uncompress(block, 0, said.length, none)).toBeUndefined();
    expect(uncompress(Buffer.alloc(0), 0, 1, dictionary)).toBeUndefined();
  });

  it('gives as many bytes as were asked for or nothing, whatever it is', () => {
    const check = fc.property(fc.uint8Array(), fc.nat(5000), (bytes, length) => {
      const read = uncompress(Buffer.from(bytes), 0, length, dictionary);
      if (read) expect(read).toHaveLength(length);
    });
    fc.assert(check, { numRuns: 3000 });
  });
});

/** Bytes in which no four come again: each two say how many there are before. */
function fill(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 1 < count; at += 2) bytes.writeUInt16BE((at * 31_337) & 0xffff, at);
  return bytes;
}
