import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { sha256 } from './hash.js';
import { assertValid, decodeBase64, InvalidSeal } from './invalid.js';

/** The byte that says how a key signs: the text of a note, or a checkpoint together with a time. */
export const SIGNATURE_TYPES = { note: 1, cosignature: 4 } as const;
export type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES];

/** An Ed25519 key as others know it. */
export interface VerifierKey {
  readonly name: string;
  readonly type: SignatureType;
  readonly publicKey: KeyObject;
  /** Eight hexadecimal digits, which signatures carry beside the name. */
  readonly id: string;
}

/** A key that signs, and its public half. */
export interface SigningKey extends VerifierKey {
  readonly privateKey: KeyObject;
}

/** DER of a public Ed25519 key, up to its 32 bytes (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A name of a key or log: not empty, without spaces, control characters and pluses, which separate it. */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{C}\p{Z}]+$/u.test(name);
}

/** The key that signs by a private one in PEM (PKCS#8). @throws InvalidSeal where it is no Ed25519 key. */
export function readSigningKey(
  name: string,
  pem: string,
  type: SignatureType = SIGNATURE_TYPES.note,
): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    throw new InvalidSeal('The signing key is no private key in PEM (PKCS#8).');
  }
  const isRight = privateKey.asymmetricKeyType === 'ed25519';
  assertValid(isRight, `The signing key is of type ${privateKey.asymmetricKeyType}, not ed25519.`);
  const der = createPublicKey(pem).export({ format: 'der', type: 'spki' });
  return { ...makeVerifierKey(name, type, der.subarray(SPKI_PREFIX.length)), privateKey };
}

/** The text by which verifiers get a key (C2SP signed-note): name, id, type with key, pluses between them. */
export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  const der = publicKey.export({ format: 'der', type: 'spki' });
  const bytes = Buffer.concat([Buffer.of(type), der.subarray(SPKI_PREFIX.length)]);
  return `${name}+${id}+${bytes.toString('base64')}`;
}

/** Reads a key from its text. @throws InvalidSeal */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id, base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  assertValid(id !== undefined, 'A verifier key reads NAME+ID+BASE64.');
  const bytes = decodeBase64(base64, 'verifier key', 33);
  const type = Object.values(SIGNATURE_TYPES).find((known) => known === bytes[0]);
  assertValid(type !== undefined, `The verifier key is of the unknown type ${bytes[0] ?? 0}.`);
  const key = makeVerifierKey(name, type, bytes.subarray(1));
  assertValid(key.id === id, `The verifier key has the id ${id}, and its bytes make ${key.id}.`);
  return key;
}

function makeVerifierKey(name: string, type: SignatureType, bytes: Buffer): VerifierKey {
  assertValid(isKeyName(name), `A key cannot have the name ${JSON.stringify(name)}.`);
  const der = Buffer.concat([SPKI_PREFIX, bytes]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), bytes]));
  return { name, type, publicKey, id: id.toString('hex', 0, 4) };
}
