import { compressSync, uncompressSync } from 'lz4-napi';
import { DICTIONARY_1 } from './dictionary-1.js';

/** By their number, which begins at 1. Stored records name it: none is ever changed or taken away. */
const DICTIONARIES = [DICTIONARY_1];

/** New records are packed with the newest one. */
const NEWEST = { number: 1, dictionary: DICTIONARY_1 };

/** Before the block stands the length of its content: 3 bytes in a record, 4 in the other order in the library's form. */
const LENGTH_BYTES = 3;
const LIBRARYS_LENGTH_BYTES = 4;

/**
 * Longer content is stored as it is, and a record that claims more is refused. It is a part of the stored format and
 * never lowered: stored records of that length would no longer be read. It is at least the limit of an append, and
 * below 2^24, which 3 bytes can hold.
 */
export const MAX_PACKED_CONTENT_BYTES = 2 ** 20;

/** An event's content, as it is stored. */
interface PackedContent {
  /** The number of the dictionary; 0 for content that is stored as it is. */
  readonly dictionary: number;
  readonly bytes: Buffer;
}

/** The bytes are none of `packContent`'s; the message says why, as a part of a sentence. */
export class UnreadableContent extends Error {
  override readonly name = 'UnreadableContent';
}

/** Packs content as one LZ4 block where that takes fewer bytes, unless it is longer than the format allows. */
export function packContent(content: Buffer): PackedContent {
  const unpacked = { dictionary: 0, bytes: content };
  if (content.length > MAX_PACKED_CONTENT_BYTES) return unpacked;
  const packed = compressSync(content, NEWEST.dictionary);
  const bytes = packed.subarray(LIBRARYS_LENGTH_BYTES - LENGTH_BYTES);
  if (bytes.length >= content.length) return unpacked;
  bytes.writeUIntBE(content.length, 0, LENGTH_BYTES);
  return { dictionary: NEWEST.number, bytes };
}

/**
 * Unpacks the content that goes from `at` to the end of `source`.
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
  const block = source.subarray(at + LENGTH_BYTES);
  const packed = Buffer.allocUnsafe(LIBRARYS_LENGTH_BYTES + block.length);
  packed.writeUInt32LE(length);
  packed.set(block, LIBRARYS_LENGTH_BYTES);
  try {
    const content = uncompressSync(packed, words);
    // The library takes a length that is too large for a bound.
    if (content.length === length) return content;
  } catch {
    // The bytes are no block, or name a place outside of it.
  }
  throw new UnreadableContent(`its content is not packed into ${length} bytes`);
}

/** How many bytes packed content has without its packing, by its own word, which stands at `at`. */
export function readUnpackedLength(source: Buffer, at: number): number {
  return source.length >= at + LENGTH_BYTES ? source.readUIntBE(at, LENGTH_BYTES) : 0;
}
