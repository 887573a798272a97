import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** Of a key that seals. */
export const KEY_BYTES = 32;
/**
 * GCM's own size; a random one is safe far beyond the number of texts we ever seal under a key.
 */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text: `iv.tag.ciphertext`, each base64url. The additional data are not stored. */
export function encryptText(key: Buffer, text: string, additionalData: readonly string[]): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(encodeData(additionalData));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'));
  return parts.join('.');
}

/** Decrypts a text of `encryptText`. @throws Error where key, data or text are others. */
export function decryptText(
  key: Buffer,
  encrypted: string,
  additionalData: readonly string[],
): string {
  const parts = encrypted.split('.').map((part) => Buffer.from(part, 'base64url'));
  const [iv, tag, ciphertext] = parts;
  if (parts.length !== 3 || !iv || !tag || !ciphertext) throw new Error('no encrypted text');
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  decipher.setAAD(encodeData(additionalData));
  const opened = decipher.update(ciphertext);
  // It has no bytes left to give, and throws where the tag is another.
  decipher.final();
  return opened.toString('utf8');
}

/** The id of a key, which tells nothing of it: the first hex digits of an HMAC of a constant under it. */
export function deriveKeyId(key: Buffer, constant: string, digits: number): string {
  return createHmac('sha256', key).update(constant).digest('hex').slice(0, digits);
}

/** No two contexts give the same bytes. */
function encodeData(additionalData: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(additionalData));
}
