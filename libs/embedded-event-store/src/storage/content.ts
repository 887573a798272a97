import { DICTIONARY_1 } from './dictionary-1.js';
import { compress, Dictionary, uncompress } from './lz4.js';

/** By their number, which begins at 1. Stored records name it: none is ever changed or taken away. */
const FIRST = new Dictionary(DICTIONARY_1);
const DICTIONARIES = [FIRST];

/** What new records are packed with. */
const NEWEST = { number: 1, dictionary: FIRST };

/** Before the block stands the length of what was packed. */
const LENGTH_BYTES = 3;

/**
 * Longer content is stored as it is, and a record that claims more is refused. It is a part of the stored
 * format and never lowered: stored records of that length would no longer be read. It is at least what an
 * append may have, and below 2^24, which is what 3 bytes can say.
 */
export const MAX_PACKED_CONTENT_BYTES = 2 ** 20;

/** What an event says, as it is stored. */
interface PackedContent {
  /** The number of the dictionary; 0 for content that is stored as it is. */
  readonly dictionary: number;
  readonly bytes: Buffer;
}

/** The bytes are not what `packContent` made; the message says why, as a part of a sentence. */
export class UnreadableContent extends Error {
  override readonly name = 'UnreadableContent';
}

/** Packs content as one LZ4 block where that takes fewer bytes, unless it is longer than the format allows. */
export function packContent(content: Buffer): PackedContent {
  const unpacked = { dictionary: 0, bytes: content };
  if (content.length > MAX_PACKED_CONTENT_BYTES) return unpacked;
  const block = compress(content, NEWEST.dictionary);
  if (!block || block.length + LENGTH_BYTES >= content.length) return unpacked;
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + block.length);
  bytes.writeUIntBE(content.length, 0, LENGTH_BYTES);
  bytes.set(block, LENGTH_BYTES);
  return { dictionary: NEWEST.number, bytes };
}

/**
 * What `packContent` made, which goes from `at` to the end of `source`.
 *
 * @throws UnreadableContent before anything is set aside for a length that cannot be.
 */
export function unpackContent(source: Buffer, at: number, dictionary: number): Buffer {
  if (dictionary === 0) return source.subarray(at);
  const words = DICTIONARIES[dictionary - 1];
  if (!words) throw new UnreadableContent(`its content asks for dictionary ${dictionary}`);
  const length = readUnpackedLength(source, at);
  if (length > MAX_PACKED_CONTENT_BYTES) {
    throw new UnreadableContent(`its content is said to have ${length} bytes`);
  }
  const content = uncompress(source, at + LENGTH_BYTES, length, words);
  if (content) return content;
  throw new UnreadableContent(`its content is not packed into ${length} bytes`);
}

/** How many bytes packed content has without its packing, by its own word, which stands at `at`. */
export function readUnpackedLength(source: Buffer, at: number): number {
  return source.length >= at + LENGTH_BYTES ? source.readUIntBE(at, LENGTH_BYTES) : 0;
}
