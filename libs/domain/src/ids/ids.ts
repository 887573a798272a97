import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Instant } from '../event/index.js';

/** Crockford's base 32: no i, l, o and u, so that an id read aloud is written down rightly. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 50 bits of milliseconds reach beyond the year 37000; as in a ULID. */
const TIME_LENGTH = 10;
/** 80 bits: a collision within one millisecond stays out of reach. As in a ULID. */
export const ENTROPY_BYTES = 10;
/** Two hex digits: 256 buckets for ever (decision 0009). */
const BUCKET_LENGTH = 2;
/** Time, bucket and entropy. */
const PARTS =
  `[${ALPHABET}]{${TIME_LENGTH}}([0-9a-f]{${BUCKET_LENGTH}})` +
  `[${ALPHABET}]{${(ENTROPY_BYTES * 8) / 5}}`;
/** A text that is longer than an id is refused at once. */
const SHAPE = new RegExp(`^${PARTS}$`);
/** A player's own stream is named by the pseudonym, and lies where all of the player's are. */
const PSEUDONYM = /^[0-9a-f]{32}$/;
/** An id, or a name that begins with one and goes on behind a sign that no id has. */
const BUCKETED = new RegExp(`^[a-z]+_${PARTS}(?![0-9a-z])`);

/**
 * An id that sorts by its time (decision 0008): `prefix_`, then 10 characters of time, the 2 hex digits
 * of its bucket (decision 0009) and 16 characters of entropy, in lower-case Crockford base 32.
 *
 * @param at the time by which the id sorts: that of creation, or the due time of a derived id.
 * @param bucket `3f`; ids that belong together have the same one.
 * @param entropy 10 bytes; random for a new id, a hash for a derived one.
 * @throws RangeError for an instant that is none, or lies before 1970.
 */
export function formatId(prefix: string, at: Instant, bucket: string, entropy: Uint8Array): string {
  return `${prefix}_${encodeTime(Date.parse(at))}${bucket}${encodeBytes(entropy)}`;
}

/**
 * The id that follows from a cause: the same cause at the same instant always gives the same id, so that a repeated
 * decision creates nothing new. The causes are in `derived-ids.ts`.
 */
export function deriveId(prefix: string, at: Instant, bucket: string, cause: string): string {
  return formatId(prefix, at, bucket, hash(cause).subarray(0, ENTROPY_BYTES));
}

/**
 * The bucket of an id, or of a name that begins with one, such as a plan code's; any other name has
 * one by its hash. A stream's name so follows from its id alone (decision 0009).
 */
export function readBucket(id: string): string {
  if (isPseudonym(id)) return readPlayerBucket(id);
  return BUCKETED.exec(id)?.[1] ?? hashBucket(id);
}

/** Whether a text has the form of a pseudonym: 32 hex digits. */
export function isPseudonym(text: string): boolean {
  return PSEUDONYM.test(text);
}

/** The bucket of a player, from the pseudonym: its first byte. */
export function readPlayerBucket(player: string): string {
  return player.slice(0, BUCKET_LENGTH);
}

/** The bucket of a text that is no id: the first byte of its hash. */
function hashBucket(text: string): string {
  return (hash(text)[0] ?? 0).toString(16).padStart(BUCKET_LENGTH, '0');
}

function hash(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

/** Whether a text has the form of an id: one that has not is not worth a question to the store. */
export function isId(prefix: string, text: string): boolean {
  const start = `${prefix}_`;
  return text.startsWith(start) && SHAPE.test(text.slice(start.length));
}

function encodeTime(timeMs: number): string {
  if (!Number.isSafeInteger(timeMs) || timeMs < 0) {
    throw new RangeError(`an id needs an instant after 1970, not ${timeMs}`);
  }
  let rest = timeMs;
  let text = '';
  for (let index = 0; index < TIME_LENGTH; index += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeBytes(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return text;
}
