import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assertDefect } from './defect.js';
import { Fault } from './fault.js';

const VERSION = 'v2';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/**
 * GCM's own size; a random one is safe far beyond the number of secrets we ever seal under a key.
 */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The purpose of the key that seals; other purposes get keys of their own from `deriveKey`. */
const SEALING = 'credentials at rest';

/** What a text is sealed for: it opens for nothing else, wherever it is copied to. */
export interface SealedFor {
  readonly appId: string;
  readonly purpose: string;
}

/** Encryption of credentials at rest (rules/storage 4, decision 0061). */
export interface Seal {
  /**
   * Encrypts a text: `v2.iv.tag.ciphertext`, each part base64url. The same text seals differently
   * each time.
   */
  seal(text: string, sealedFor: SealedFor): string;
  /**
   * Decrypts what `seal` gave.
   *
   * @throws Fault `undecodable` when it was altered, or sealed for another app or purpose, or
   *   otherwise.
   */
  open(sealed: string, sealedFor: SealedFor): string;
  /**
   * A key of 32 bytes for one purpose (page tokens, say), derived from the master key by
   * HKDF-SHA-256.
   */
  deriveKey(purpose: string): Buffer;
}

/** @param masterKey 32 bytes, `MASTER_KEY` in the configuration. */
export function createSeal(masterKey: Buffer): Seal {
  assertDefect(masterKey.length === KEY_BYTES, `a master key has ${KEY_BYTES} bytes`);
  const deriveKey = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `subledger ${purpose}`, KEY_BYTES));
  const key = deriveKey(SEALING);
  return {
    seal: (text, sealedFor) => seal(key, text, sealedFor),
    open: (sealed, sealedFor) => open(key, sealed, sealedFor),
    deriveKey,
  };
}

function seal(key: Buffer, text: string, sealedFor: SealedFor): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(sealedFor));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'));
  return [VERSION, ...parts].join('.');
}

function open(key: Buffer, sealed: string, sealedFor: SealedFor): string {
  const [version, ...parts] = sealed.split('.');
  const [iv, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (version !== VERSION || parts.length !== 3 || !iv || !tag || !ciphertext) throw unopenable();
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag);
    decipher.setAAD(additionalData(sealedFor));
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch (error) {
    throw unopenable(error);
  }
}

/**
 * Authenticated with the text and not stored, so that opening needs the same context. No two
 * contexts give the same bytes.
 */
function additionalData({ appId, purpose }: SealedFor): Buffer {
  return Buffer.from(JSON.stringify([VERSION, appId, purpose]));
}

function unopenable(cause?: unknown): Fault {
  const message =
    'a sealed secret cannot be opened: it was altered, or sealed with another MASTER_KEY or for another ' +
    'app or purpose';
  return new Fault('undecodable', message, { retryable: false, cause });
}
