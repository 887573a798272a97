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
const MARK = Buffer.from('a text that stands here twice and is found again');
const SAID = '{"amountMinor":"999","currency":"EUR"} and {"amountMinor":"999","currency":"EUR"}';

/** In parts, as the format has them: token, length, literals, distance, length. lz4_flex reads them the same. */
const GOLDEN = [
  {
    how: 'lengths of exactly 15 and 255 more, an overlap, a distance above 255 and words of the dictionary',
    block: [
      ['ff', 'ff00', fill(264).toString('hex'), '210000000000', '0500', 'ff00'],
      ['0f', 'bc01', '15'],
      ['04', '8702'],
      ['0f', '9102', '0d'],
      ['70', '74686520656e64'],
    ],
    said: [
      ...[fill(264), Buffer.from('!'), Buffer.alloc(279), fill(264).subarray(100, 140)],
      ...[WORDS.subarray(0, 40), Buffer.from('the end')],
    ],
  },
  {
    how: 'lengths of several bytes, of which the last is not 0',
    block: [
      ['ff', 'ffff23', '61'.repeat(560), '0100', 'ffff64'],
      ['50', '62'.repeat(5)],
    ],
    said: [Buffer.alloc(560 + 629, 'a'), Buffer.alloc(5, 'b')],
  },
  {
    how: 'a match that goes on from the dictionary into the content and beyond its own begin',
    block: [
      ['28', '6162', '0800'],
      ['60', '616e20656e64'],
    ],
    said: [Buffer.from('ab' + 'm_ok"}' + 'ab' + 'm_ok' + 'an end')],
  },
].map(({ how, block, said }) => ({
  how,
  block: Buffer.from(block.flat().join(''), 'hex'),
  said: Buffer.concat(said),
}));

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

  it.each([dictionary, none])(
    'is what the format says, and ends as other libraries ask',
    (words) => {
      const check = fc.property(content, (said) => {
        const block = compress(said, words);
        if (!block) return;
        const sequences = readSequences(block);
        expect(decode(sequences, words.bytes).equals(said)).toBe(true);
        expect(sequences.at(-1)?.literals.length).toBeGreaterThanOrEqual(5);
        for (const { start } of sequences.slice(0, -1)) {
          expect(start).toBeLessThanOrEqual(said.length - 12);
        }
      });
      fc.assert(check, { numRuns: 300 });
    },
  );

  it('has a match 12 bytes before its end, and none behind', () => {
    const end = (bytes: number) =>
      Buffer.concat([MARK, Buffer.alloc(100), MARK.subarray(0, bytes)]);
    expect(findDistances(end(12), none)).toEqual([1, 100 + MARK.length]);
    expect(findDistances(end(11), none)).toEqual([1]);
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

  /** Runs, since the search goes faster and faster where nothing repeats itself, and passes by. */
  it('reaches back to what lies 65,535 bytes before, and no further', () => {
    const far = (distance: number) =>
      Buffer.concat([MARK, Buffer.alloc(distance - MARK.length, 'z'), MARK, Buffer.alloc(2000)]);
    expect(findDistances(far(65_535), none)).toEqual([1, 65_535, 1]);
    expect(findDistances(far(65_536), none)).toEqual([1, 1]);
    expect(findDistances(far(66_048), none)).toEqual([1, 1]);
  });

  it('reaches as far back into its dictionary', () => {
    const words = new Dictionary(MARK);
    const far = (distance: number) =>
      Buffer.concat([Buffer.alloc(distance - MARK.length, 'z'), MARK, Buffer.alloc(20)]);
    expect(findDistances(far(65_535), words)).toEqual([1, 65_535, 1]);
    expect(findDistances(far(65_536), words)).toEqual([1, 1]);
    expect(findDistances(far(70_000), words)).toEqual([1, 1]);
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

  it.each(GOLDEN)('is read as it was stored: $how', ({ block, said }) => {
    expect(uncompress(block, 0, said.length, dictionary)?.equals(said)).toBe(true);
    expect(decode(readSequences(block), WORDS).equals(said)).toBe(true);
  });

  it('is written with lengths as the format has them', () => {
    const { block, said } = GOLDEN[0]!;
    expect(compress(said, dictionary)?.toString('hex')).toBe(block.toString('hex'));
  });
});

describe('a dictionary', () => {
  it('has at most as many bytes as its table can name', () => {
    expect(() => new Dictionary(Buffer.alloc(32_768))).not.toThrow();
    expect(() => new Dictionary(Buffer.alloc(32_769))).toThrow('at most 32768 bytes, not 32769');
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

  it('is noticed by a match that begins where it is', () => {
    const itself = Buffer.from('0f0000ffffff64500102030405', 'hex');
    expect(uncompress(itself, 0, 889, none)).toBeUndefined();
    expect(uncompress(itself, 0, 889, dictionary)).toBeUndefined();
  });

  it('gives as many bytes as were asked for or nothing, whatever it is', () => {
    const check = fc.property(fc.uint8Array(), fc.nat(5000), (bytes, length) => {
      const read = uncompress(Buffer.from(bytes), 0, length, dictionary);
      if (read) expect(read).toHaveLength(length);
    });
    fc.assert(check, { numRuns: 3000 });
  });
});

/** Literals, and the match behind them, which the last sequence has not. */
interface Sequence {
  readonly literals: Buffer;
  /** Where the match begins in the content. */
  readonly start: number;
  readonly length: number;
  readonly distance: number;
}

/** The distances of the matches in a block, which must give its content back. */
function findDistances(said: Buffer, words: Dictionary): number[] {
  const block = compress(said, words)!;
  expect(uncompress(block, 0, said.length, words)?.equals(said)).toBe(true);
  const sequences = readSequences(block);
  return sequences.slice(0, -1).map(({ distance }) => distance);
}

/**
 * Takes a block apart by the description of the format alone: it shares no number with what it tests.
 *
 * @throws RangeError where the block ends within a sequence.
 */
function readSequences(block: Buffer): Sequence[] {
  const sequences: Sequence[] = [];
  let at = 0;
  const readLength = (inToken: number): number => {
    let length = inToken;
    for (let byte = inToken === 15 ? 255 : 0; byte === 255; length += byte) {
      byte = block.readUInt8(at++);
    }
    return length;
  };
  for (let start = 0; at < block.length || sequences.at(-1)?.length !== 0;) {
    const token = block.readUInt8(at++);
    const count = readLength(token >> 4);
    const literals = block.subarray(at, (at += count));
    start += count;
    const isLast = at === block.length;
    const distance = isLast ? 0 : block.readUInt16LE(at);
    at += isLast ? 0 : 2;
    const length = isLast ? 0 : readLength(token & 15) + 4;
    sequences.push({ literals, start, length, distance });
    start += length;
  }
  return sequences;
}

function decode(sequences: readonly Sequence[], words: Buffer): Buffer {
  const bytes = [...words];
  for (const { literals, length, distance } of sequences) {
    for (const literal of literals) bytes.push(literal);
    for (let n = 0; n < length; n += 1) bytes.push(bytes[bytes.length - distance]!);
  }
  return Buffer.from(bytes).subarray(words.length);
}

/** Bytes in which no four come again: each two say how many there are before. */
function fill(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 1 < count; at += 2) bytes.writeUInt16BE((at * 31_337) & 0xffff, at);
  return bytes;
}
