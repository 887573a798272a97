import { hash } from 'node:crypto';

/** The length of each hash here: SHA-256. */
export const HASH_BYTES = 32;

const LEAF_PREFIX = '\0';
const NODE_PREFIX = Buffer.of(1);

/** The hash of an entry (RFC 6962, 2.1), of text or its bytes: text takes half the time of a buffer that is made of it. */
export function hashLeaf(entry: Uint8Array | string): Buffer {
  if (typeof entry === 'string') return sha256(`${LEAF_PREFIX}${entry}`);
  return sha256(Buffer.concat([Buffer.from(LEAF_PREFIX), entry]));
}

/** The hash above two subtrees (RFC 6962, 2.1): no entry has it, as its prefix differs. */
export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([NODE_PREFIX, left, right]));
}

/** SHA-256 of bytes, or of text as UTF-8. Node makes a short text in a quarter of the time in which it makes a buffer outside of its pool. */
export function sha256(bytes: Uint8Array | string): Buffer {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary');
}

/** SHA-256 of bytes in hexadecimal digits. */
export function sha256Digits(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
