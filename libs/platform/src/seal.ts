import { hkdfSync } from 'node:crypto';
import { assertDefect, Fault } from './fault.js';
import { fixedMasterKeys, type MasterKeys } from './master-keys.js';
import { decryptText, deriveKeyId, encryptText, KEY_BYTES } from './sealed-text.js';

/** Names its key, so that a rotation is known to have reached it. */
const VERSION = 'v3';
/** Enough to tell the few keys of a ledger apart, and short enough to be read aloud. */
const KEY_ID_DIGITS = 12;
/** The purpose of the key that seals; other purposes get keys of their own from `deriveKeys`. */
const SEALING = 'credentials at rest';

/** The app and purpose of a sealed text: it opens for nothing else, wherever it is copied to. */
export interface SealedFor {
  readonly appId: string;
  readonly purpose: string;
}

/** Encryption of credentials at rest (rules/storage 4, decision 0015). */
export class Seal {
  readonly #known = new WeakMap<Buffer, DerivingKey>();

  constructor(private readonly master: MasterKeys) {
    this.#keys();
  }

  /**
   * Encrypts a text under the present master key: `v3.key.iv.tag.ciphertext`; `key` is the key's
   * id and the other parts are base64url. The same text seals differently each time.
   */
  seal(text: string, sealedFor: SealedFor): string {
    const [present] = this.#keys();
    assertDefect(present !== undefined, 'there is a master key');
    const { id, sealing } = present;
    return [VERSION, id, encryptText(sealing, text, additionalData(sealedFor))].join('.');
  }

  /**
   * Decrypts a text of `seal`, under the present key or a former one.
   *
   * @throws Fault `undecodable` when it was altered, or sealed for another app or purpose, or
   *   otherwise.
   */
  open(sealed: string, sealedFor: SealedFor): string {
    const [version, id = '', ...parts] = sealed.split('.');
    if (version !== VERSION) throw unopenable();
    let failure: unknown;
    for (const { sealing } of this.#candidates(id)) {
      try {
        return decryptText(sealing, parts.join('.'), additionalData(sealedFor));
      } catch (error) {
        failure = error;
      }
    }
    throw unopenable(failure);
  }

  /**
   * Keys of 32 bytes for one purpose (page tokens, say), derived from the master keys by HKDF-SHA-256. The first one is
   * to be used; texts made with the others still count.
   */
  deriveKeys(purpose: string): readonly Buffer[] {
    return this.#keys().map((key) => key.derive(purpose));
  }

  /** The ids of the master keys; the first one seals. */
  keyIds(): readonly string[] {
    return this.#keys().map(({ id }) => id);
  }

  #keys(): readonly DerivingKey[] {
    return this.master.list().map((master) => {
      const known = this.#known.get(master) ?? new DerivingKey(master);
      this.#known.set(master, known);
      return known;
    });
  }

  /** Those that may have sealed a text. Which key it was is looked for anew where none is known. */
  #candidates(id: string): readonly DerivingKey[] {
    const find = () => this.#keys().filter((key) => key.id === id);
    const found = find();
    if (found.length > 0) return found;
    this.master.refresh();
    return find();
  }
}

/** @param master the ledger's master keys, `MASTER_KEY` in the configuration, or a single one. */
export const createSeal = (master: Buffer | MasterKeys) =>
  new Seal(Buffer.isBuffer(master) ? fixedMasterKeys([master]) : master);

/** The id of the master key that a text is sealed under. Whether it opens is another matter. */
export function sealingKeyId(sealed: string): string {
  const [, id = ''] = sealed.split('.');
  return id;
}

/** The name of a master key in the texts that are sealed under it; it tells nothing of the key. */
export function masterKeyId(master: Buffer): string {
  return deriveKeyId(master, 'subledger master key id', KEY_ID_DIGITS);
}

/** A master key, with the keys derived from it: each derivation is made once. */
class DerivingKey {
  readonly id: string;
  readonly sealing: Buffer;
  private readonly derived = new Map<string, Buffer>();

  constructor(private readonly master: Buffer) {
    assertDefect(master.length === KEY_BYTES, `a master key has ${KEY_BYTES} bytes`);
    this.id = masterKeyId(master);
    this.sealing = this.derive(SEALING);
  }

  derive(purpose: string): Buffer {
    const known = this.derived.get(purpose);
    if (known !== undefined) return known;
    const info = `subledger ${purpose}`;
    const key = Buffer.from(hkdfSync('sha256', this.master, '', info, KEY_BYTES));
    this.derived.set(purpose, key);
    return key;
  }
}

/** Authenticated with the text and not stored, so that opening needs the same context. */
function additionalData({ appId, purpose }: SealedFor): readonly string[] {
  return [VERSION, appId, purpose];
}

function unopenable(cause?: unknown): Fault {
  const message =
    'a sealed secret cannot be opened: it was altered, or sealed with another MASTER_KEY or for another ' +
    'app or purpose';
  return new Fault('undecodable', message, { retryable: false, cause });
}
