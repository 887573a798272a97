import { HASH_BYTES } from './hash.js';
import { assertValid, decodeBase64 } from './invalid.js';
import { isKeyName, SIGNATURE_TYPES, type VerifierKey } from './keys.js';
import { parseNote, type VerifiedSignature, verifyNote } from './notes.js';

/** A tree as its log attests it (C2SP tlog-checkpoint). */
export interface SealCheckpoint {
  /** The name of the log, and of the key that signs for it. */
  readonly origin: string;
  /** The number of leaves; 1 at least, since writers of empty trees differ on their root. */
  readonly size: number;
  readonly root: Buffer;
}

/** The text that the log signs: three lines. @throws InvalidSeal */
export function formatCheckpoint({ origin, size, root }: SealCheckpoint): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  parseCheckpoint(text);
  return text;
}

/** Reads the text of a checkpoint, which says nothing of signatures. @throws InvalidSeal */
export function parseCheckpoint(text: string): SealCheckpoint {
  const [, origin = '', size, root = ''] = /^([^\n]+)\n([1-9]\d*)\n([^\n]+)\n$/.exec(text) ?? [];
  const isRight = isKeyName(origin) && Number.isSafeInteger(Number(size));
  assertValid(isRight, 'A checkpoint has three lines: origin, size (not 0), root.');
  return { origin, size: Number(size), root: decodeBase64(root, 'root', HASH_BYTES) };
}

/**
 * The checkpoint in a note that its own log signed, and all signatures by known keys.
 *
 * @throws InvalidSeal also where only others cosigned it.
 */
export function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
): SealCheckpoint & { signatures: VerifiedSignature[] } {
  const signatures = verifyNote(note, keys);
  const checkpoint = parseCheckpoint(parseNote(note).text);
  const isOfLog = ({ key }: VerifiedSignature) =>
    key.name === checkpoint.origin && key.type === SIGNATURE_TYPES.note;
  assertValid(
    signatures.some(isOfLog),
    `No known key of ${checkpoint.origin} signed its checkpoint.`,
  );
  return { ...checkpoint, signatures };
}
