import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Instant } from '#domain/event';
import { assertDefect } from './defect.js';

/** Crockford's base 32: no i, l, o and u, so that an id read aloud is written down rightly. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 50 bits of milliseconds reach beyond the year 37000; as in a ULID. */
const TIME_LENGTH = 10;
/** 80 bits: a collision within one millisecond stays out of reach. As in a ULID. */
const ENTROPY_BYTES = 10;
/** Time and randomness; nothing longer than an id is looked at. */
const SHAPE = new RegExp(`^[${ALPHABET}]{${TIME_LENGTH + (ENTROPY_BYTES * 8) / 5}}$`);
/** The namespace of our derived UUIDs (RFC 9562, version 5): a random UUID, chosen once, never changed. */
const NAMESPACE = Buffer.from('6f1d8c0e5a3b4b7e9c42d0a8e4f7b615', 'hex');

/**
 * An id that sorts by its time (rules/events 7): `prefix_`, then 10
 * characters of time and 16 of randomness, in lower-case Crockford base 32.
 *
 * @param at what the id sorts by: the time of creation, or the due time of what is derived.
 * @param entropy when given, the last 16 characters are a hash of it, so that the same cause at the
 *   same instant always gives the same id.
 */
export function newId(prefix: string, at: Instant, entropy?: string): string {
  const bytes =
    entropy === undefined
      ? randomBytes(ENTROPY_BYTES)
      : createHash('sha256').update(entropy).digest().subarray(0, ENTROPY_BYTES);
  return `${prefix}_${encodeTime(Date.parse(at))}${encodeBytes(bytes)}`;
}

/** Whether a text looks like an id of `newId`: what does not is not worth a question to the store. */
export function isId(prefix: string, text: string): boolean {
  const start = `${prefix}_`;
  return text.startsWith(start) && SHAPE.test(text.slice(start.length));
}

/** A random UUID (version 4). */
export function newUuid(): string {
  return randomUUID();
}

/** The UUID (version 5) that belongs to a text: the same text always gives the same UUID. */
export function deriveUuid(text: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(text).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function encodeTime(timeMs: number): string {
  assertDefect(Number.isSafeInteger(timeMs) && timeMs >= 0, 'an id needs an instant after 1970');
  let rest = timeMs;
  let text = '';
  for (let index = 0; index < TIME_LENGTH; index += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeBytes(bytes: Buffer): string {
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
