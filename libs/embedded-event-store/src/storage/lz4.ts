/**
 * LZ4's block format with a dictionary, as other libraries write and read it. It is done here since an event
 * has a few hundred bytes: handing them to native code and back took longer than packing them does, and the
 * table of the dictionary is made once instead of for each event. When a block is unpacked, every length
 * and distance is looked at, so that no bytes, whatever they are, lead out of a buffer.
 *
 * A block is sequences of a token (two halves of a byte: how many literals, how long a match), the literals,
 * the distance of the match (2 bytes, little-endian); lengths that do not fit go on in bytes behind it. The
 * last sequence has literals alone.
 */

const SHORTEST_MATCH = 4;
/** The format wants the last bytes as literals, and no match that begins near the end. */
const LAST_LITERALS = 5;
const LAST_MATCH_FROM_END = 12;
const LARGEST_DISTANCE = 0xffff;
const LARGEST_IN_TOKEN = 15;
const LARGEST_IN_BYTE = 255;
/** Tables of 4,096 places find as much as larger ones in what events say, and stay in the processor's cache. */
const HASH_BITS = 12;
/** After each so many bytes (2 to this) without a match, the search goes on a byte faster. */
const PATIENCE_BITS = 6;
const LARGEST_INT32 = 2 ** 31 - 1;

/** So many places fit into the 16 bits, with a sign, that a dictionary's table has for each. */
const MAX_DICTIONARY_BYTES = 2 ** 15;

/** Words that packing and unpacking both have. */
export class Dictionary {
  readonly #places = new Int16Array(1 << HASH_BITS).fill(-1);

  /** @throws RangeError for too many words, which is a defect: dictionaries are constants of the program. */
  constructor(readonly bytes: Buffer) {
    if (bytes.length > MAX_DICTIONARY_BYTES) {
      throw new RangeError(
        `A dictionary has at most ${MAX_DICTIONARY_BYTES} bytes, not ${bytes.length}.`,
      );
    }
    for (let at = 0; at + SHORTEST_MATCH <= bytes.length; at += 1) {
      this.#places[hash(readFour(bytes, at))] = at;
    }
  }

  /** Where these four bytes stand; -1 if that is not known. */
  find(four: number): number {
    const place = this.#places[hash(four)] ?? -1;
    return place >= 0 && readFour(this.bytes, place) === four ? place : -1;
  }
}

/** An earlier place with the same bytes as those at `start`. */
interface Match {
  readonly start: number;
  readonly length: number;
  readonly distance: number;
}

/** Places in the content, counted on from content to content: so the table need not be emptied. */
const seen = new Int32Array(1 << HASH_BITS);
let counted = 1;

/** @returns undefined where the block would not be shorter than the content. */
export function compress(content: Buffer, dictionary: Dictionary): Buffer | undefined {
  if (counted > LARGEST_INT32 - content.length) {
    seen.fill(0);
    counted = 1;
  }
  const base = counted;
  counted += content.length;
  const block = new BlockWriter(content);
  for (let at = 0; at <= content.length - LAST_MATCH_FROM_END;) {
    const match = findMatch(content, at, base, dictionary, block.written);
    if (match) {
      if (!block.writeSequence(match)) return undefined;
      at = block.written;
    } else at += 1 + ((at - block.written) >> PATIENCE_BITS);
  }
  return block.finish();
}

/** The longer one of a match in the dictionary and one in the content, begun as early as it can be. */
function findMatch(
  content: Buffer,
  at: number,
  base: number,
  dictionary: Dictionary,
  written: number,
): Match | undefined {
  const four = readFour(content, at);
  const slot = hash(four);
  const before = (seen[slot] ?? 0) - base;
  seen[slot] = base + at;
  const isBefore =
    before >= 0 && at - before <= LARGEST_DISTANCE && readFour(content, before) === four;
  const own = isBefore ? stretch(content, at, written, content, before) : undefined;
  const words = dictionary.bytes;
  const place = at + words.length > LARGEST_DISTANCE ? -1 : dictionary.find(four);
  if (place < 0) return own;
  const known = stretch(content, at, written, words, place);
  return own && own.length >= known.length ? own : known;
}

/** How far both ways the bytes around `at` are those around `place`, in the content or in the dictionary. */
function stretch(
  content: Buffer,
  at: number,
  written: number,
  other: Buffer,
  place: number,
): Match {
  const last = Math.min(content.length - LAST_LITERALS, at + other.length - place);
  let end = at + SHORTEST_MATCH;
  while (end < last && content[end] === other[place + end - at]) end += 1;
  const first = Math.max(written, at - place);
  let start = at;
  while (start > first && content[start - 1] === other[place + start - 1 - at]) start -= 1;
  const distance = at - place + (other === content ? 0 : other.length);
  return { start, length: end - start, distance };
}

/** Writes as long as the block stays shorter than the content. */
class BlockWriter {
  /** Up to where the content is in the block. */
  written = 0;
  readonly #block: Buffer;
  #at = 0;

  constructor(private readonly content: Buffer) {
    this.#block = Buffer.allocUnsafe(content.length);
  }

  /** Answers false when the block is as long as the content. */
  writeSequence({ start, length, distance }: Match): boolean {
    const extra = length - SHORTEST_MATCH;
    if (!this.#writeLiterals(start, Math.min(extra, LARGEST_IN_TOKEN))) return false;
    this.#block[this.#at] = distance;
    this.#block[this.#at + 1] = distance >> 8;
    this.#at += 2;
    this.#writeLength(extra);
    this.written = start + length;
    return this.#at < this.#block.length;
  }

  /** @returns undefined when the block is as long as the content. */
  finish(): Buffer | undefined {
    if (!this.#writeLiterals(this.content.length, 0)) return undefined;
    return this.#at < this.#block.length ? this.#block.subarray(0, this.#at) : undefined;
  }

  #writeLiterals(end: number, matchInToken: number): boolean {
    const count = end - this.written;
    const longest = this.#at + 1 + count + Math.ceil(count / LARGEST_IN_BYTE);
    if (longest >= this.#block.length) return false;
    this.#block[this.#at] = (Math.min(count, LARGEST_IN_TOKEN) << 4) | matchInToken;
    this.#at += 1;
    this.#writeLength(count);
    copy(this.content, this.written, this.#block, this.#at, count);
    this.#at += count;
    return true;
  }

  /** What of a length does not fit into the token. */
  #writeLength(length: number): void {
    if (length < LARGEST_IN_TOKEN) return;
    let left = length - LARGEST_IN_TOKEN;
    for (; left >= LARGEST_IN_BYTE; left -= LARGEST_IN_BYTE) {
      this.#block[this.#at] = LARGEST_IN_BYTE;
      this.#at += 1;
    }
    this.#block[this.#at] = left;
    this.#at += 1;
  }
}

/**
 * @param from where the block begins in `source`, at whose end it ends.
 * @param length of what was packed.
 * @returns undefined for what is no such block.
 */
export function uncompress(
  source: Buffer,
  from: number,
  length: number,
  dictionary: Dictionary,
): Buffer | undefined {
  const content = Buffer.allocUnsafe(length);
  const reader = new BlockReader(source, from, content, dictionary.bytes);
  while (!reader.isEnd) if (!reader.readSequence()) return undefined;
  return reader.isFull ? content : undefined;
}

class BlockReader {
  #to = 0;

  constructor(
    private readonly source: Buffer,
    private from: number,
    private readonly content: Buffer,
    private readonly words: Buffer,
  ) {}

  get isEnd(): boolean {
    return this.from >= this.source.length;
  }

  get isFull(): boolean {
    return this.#to === this.content.length;
  }

  /** Answers false for one that is none. */
  readSequence(): boolean {
    const { source, content } = this;
    const token = this.#readByte();
    const literals = this.#readLength(token >> 4);
    if (this.from + literals > source.length || this.#to + literals > content.length) return false;
    copy(source, this.from, content, this.#to, literals);
    this.from += literals;
    this.#to += literals;
    if (this.isEnd) return true;
    const distance = this.#readByte() | (this.#readByte() << 8);
    const length = this.#readLength(token & LARGEST_IN_TOKEN) + SHORTEST_MATCH;
    return this.#copyMatch(distance, length);
  }

  /** A match may begin in the dictionary and go on in the content. */
  #copyMatch(distance: number, length: number): boolean {
    const { content, words } = this;
    const place = this.#to - distance;
    if (distance === 0 || place < -words.length || this.#to + length > content.length) return false;
    const inWords = Math.min(length, Math.max(-place, 0));
    copy(words, words.length + place, content, this.#to, inWords);
    copy(content, place + inWords, content, this.#to + inWords, length - inWords);
    this.#to += length;
    return true;
  }

  #readLength(inToken: number): number {
    let length = inToken;
    if (inToken < LARGEST_IN_TOKEN) return length;
    for (let more = LARGEST_IN_BYTE; more === LARGEST_IN_BYTE;) {
      more = this.#readByte();
      length += more;
    }
    return length;
  }

  /** 0 behind the end: then a sequence that needs it does not fit, or `isEnd`. */
  #readByte(): number {
    const byte = this.source[this.from] ?? 0;
    this.from += 1;
    return byte;
  }
}

/** Byte by byte, from the first on: few, and the two places may overlap. */
function copy(source: Buffer, from: number, target: Buffer, to: number, count: number): void {
  for (let n = 0; n < count; n += 1) target[to + n] = source[from + n] ?? 0;
}

function readFour(bytes: Buffer, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}

/** Fibonacci's: the upper bits of a product with 2^32 by the golden ratio. */
function hash(four: number): number {
  return Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
}
