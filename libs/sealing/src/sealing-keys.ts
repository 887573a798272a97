import { assertDefect, SettingRefused } from '#platform';
import {
  formatCheckpoint,
  InvalidSeal,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  readSigningKey,
  type SealCheckpoint,
  type SigningKey,
  signNote,
} from '#seal';
import type { StoredCheckpoint } from './stored-seals.js';

/** The keys of a sealer, in PEM (PKCS#8): they never lie in the store. */
export interface KeyTexts {
  readonly key: string;
  /** The key before it, while keys are rotated. */
  readonly formerKey?: string | undefined;
}

/** Signs checkpoints. A key has the name of its log, so that it is read anew for each origin. */
export class SealingKeys {
  /** @throws SettingRefused where a text is no key. */
  constructor(private readonly texts: KeyTexts) {
    this.#keys('any');
  }

  /**
   * Compares the keys with the last checkpoint.
   *
   * @returns whether the former key signed it, and this one did not: the next checkpoint is then signed by both.
   * @throws SettingRefused where none of them did.
   */
  requireKeyOf({ note, size }: StoredCheckpoint): boolean {
    const { origin } = parseCheckpoint(parseNote(note).text);
    const [key, former] = this.#keys(origin);
    if (isSignedBy(note, key)) return false;
    if (former !== undefined && isSignedBy(note, former)) return true;
    throw new SettingRefused(
      `SEAL_KEY_FILE holds another key than the one that signed the last checkpoint (${origin}, ${size} leaves): ` +
        'restore that file; or name it in SEAL_FORMER_KEY_FILE to go over to the new key.',
    );
  }

  /** The note of a checkpoint; @param isRotation whether the former key signs, too. */
  sign(checkpoint: SealCheckpoint, isRotation: boolean): string {
    const keys = this.#keys(checkpoint.origin);
    const signing = isRotation ? keys : keys.slice(0, 1);
    const present = signing.filter((key) => key !== undefined);
    assertDefect(present.length === signing.length, 'a rotation has two keys');
    return signNote(formatCheckpoint(checkpoint), present);
  }

  /** @throws SettingRefused for a file that holds no key. */
  #keys(origin: string): [key: SigningKey, former: SigningKey | undefined] {
    const { key, formerKey } = this.texts;
    return [
      readKey('SEAL_KEY_FILE', origin, key),
      formerKey === undefined ? undefined : readKey('SEAL_FORMER_KEY_FILE', origin, formerKey),
    ];
  }
}

function readKey(setting: string, origin: string, pem: string): SigningKey {
  try {
    return readSigningKey(origin, pem);
  } catch (error) {
    if (!(error instanceof InvalidSeal)) throw error;
    throw new SettingRefused(`${setting} names a file that holds no Ed25519 key: ${error.message}`);
  }
}

function isSignedBy(note: string, key: SigningKey): boolean {
  try {
    openCheckpoint(note, [key]);
    return true;
  } catch (error) {
    if (error instanceof InvalidSeal) return false;
    throw error;
  }
}
