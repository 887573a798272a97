import { sign, verify } from 'node:crypto';
import { assertValid, decodeBase64 } from './invalid.js';
import { isKeyName, SIGNATURE_TYPES, type SigningKey, type VerifierKey } from './keys.js';
import { MAX_NOTE_SIGNATURES } from './limits.js';

/** A text with signatures below it (C2SP signed-note), of which none has been verified. */
export interface SignedNote {
  /** With its last line feed. */
  readonly text: string;
  readonly signatures: readonly { name: string; id: string; bytes: Buffer }[];
}

/** A signature that is right. */
export interface VerifiedSignature {
  readonly key: VerifierKey;
  /** The time that a cosignature states, in seconds since the epoch; null for the others, which state none. */
  readonly timeSeconds: number | null;
}

/** A text with the signatures of keys, and nothing else. */
export function signNote(text: string, keys: readonly SigningKey[]): string {
  const note = `${text}\n${keys.map((key) => signatureLine(text, key, null)).join('')}`;
  parseNote(note);
  return note;
}

/** A note with one more signature: a cosignature (C2SP tlog-cosignature), which states a time. */
export function cosignNote(note: string, key: SigningKey, timeSeconds: number): string {
  return note + signatureLine(parseNote(note).text, key, timeSeconds);
}

/** Takes a note apart. @throws InvalidSeal */
export function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n');
  const isClean = /^[^\p{Cs}\0-\x09\x0b-\x1f]*\n$/u.test(note) && end > 0;
  assertValid(isClean, 'A note is text, an empty line, and lines with signatures.');
  const lines = note.slice(end + 2, -1).split('\n');
  const isBounded = lines.length <= MAX_NOTE_SIGNATURES;
  assertValid(
    isBounded,
    `The note has ${lines.length} signatures, more than ${MAX_NOTE_SIGNATURES}.`,
  );
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

/**
 * The signatures of a note by known keys; those by other keys are ignored (C2SP signed-note).
 *
 * @throws InvalidSeal where a known key's signature is wrong, or none is of a known key.
 */
export function verifyNote(note: string, keys: readonly VerifierKey[]): VerifiedSignature[] {
  const { text, signatures } = parseNote(note);
  const verified = signatures.flatMap(({ name, id, bytes }) => {
    const key = keys.find((known) => known.name === name && known.id === id);
    return key === undefined ? [] : [verifySignature(text, key, bytes)];
  });
  const names = keys.map((key) => `${key.name}+${key.id}`).join(', ');
  assertValid(verified.length > 0, `The note has no signature by ${names}.`);
  return verified;
}

function verifySignature(text: string, key: VerifierKey, bytes: Buffer): VerifiedSignature {
  const isTimed = key.type === SIGNATURE_TYPES.cosignature && bytes.length > 8;
  const timeSeconds = isTimed ? Number(bytes.readBigUInt64BE()) : null;
  const signature = isTimed ? bytes.subarray(8) : bytes;
  const isRight = verify(null, signedBytes(text, timeSeconds), key.publicKey, signature);
  assertValid(isRight, `The signature by ${key.name}+${key.id} is wrong.`);
  return { key, timeSeconds };
}

function signatureLine(text: string, key: SigningKey, timeSeconds: number | null): string {
  const isRight = (key.type === SIGNATURE_TYPES.cosignature) === (timeSeconds !== null);
  assertValid(
    isRight,
    `The key ${key.name}+${key.id} signs ${timeSeconds === null ? 'with' : 'without'} a time.`,
  );
  const time = Buffer.alloc(timeSeconds === null ? 0 : 8);
  if (timeSeconds !== null) time.writeBigUInt64BE(BigInt(timeSeconds));
  const signature = sign(null, signedBytes(text, timeSeconds), key.privateKey);
  const bytes = Buffer.concat([Buffer.from(key.id, 'hex'), time, signature]);
  return `— ${key.name} ${bytes.toString('base64')}\n`;
}

function signedBytes(text: string, timeSeconds: number | null): Buffer {
  return Buffer.from(timeSeconds === null ? text : `cosignature/v1\ntime ${timeSeconds}\n${text}`);
}

function parseSignature(line: string): SignedNote['signatures'][number] {
  const [, name = '', base64 = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  assertValid(isKeyName(name), `A line is no signature: ${JSON.stringify(line)}.`);
  const bytes = decodeBase64(base64, 'signature');
  assertValid(bytes.length > 4, 'A signature is shorter than the id of its key.');
  return { name, id: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4) };
}
