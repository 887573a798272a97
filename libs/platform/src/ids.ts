import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Instant } from '#domain/event';
import { ENTROPY_BYTES, formatId } from '#domain/ids';

/** The namespace of our derived UUIDs (RFC 9562, version 5): a random UUID, chosen once, never changed. */
const NAMESPACE = Buffer.from('6f1d8c0e5a3b4b7e9c42d0a8e4f7b615', 'hex');

/**
 * A new id; its form is the domain's, and so are ids that follow from another.
 *
 * @param at the time of creation, by which the id sorts.
 * @param bucket that of its owner: its app's, or its player's.
 */
export function newId(prefix: string, at: Instant, bucket: string): string {
  return formatId(prefix, at, bucket, randomBytes(ENTROPY_BYTES));
}

/** A new app's id: its bucket is drawn, and all that belongs to the app alone has the same one. */
export function newAppId(at: Instant): string {
  return newId('app', at, randomBytes(1).toString('hex'));
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
