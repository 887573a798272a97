import { randomBytes } from 'node:crypto';
import type { PersonalTexts } from '#domain/personal-data';
import { decryptText, deriveKeyId, encryptText, Fault } from '#platform';

/** Sealed under a player's key (decision 0017). */
const VERSION = 'p1';
const KEY_BYTES = 32;
const KEY_ID_DIGITS = 8;

/** The field of a player's text; it opens as no other. */
export type PersonalField = 'accountId' | keyof PersonalTexts | `answer ${string}`;

/** The key of one player of one app. */
export class PlayerKey {
  private readonly key: Buffer;
  /** The name of the key in texts. */
  #id: string | undefined;

  /** @param key 32 bytes. */
  constructor(
    private readonly appId: string,
    private readonly player: string,
    key: Buffer,
  ) {
    // A short Buffer is a part of 8 kB of Node's, all of which lives for as long as the key is kept.
    this.key = Buffer.allocUnsafeSlow(key.length);
    key.copy(this.key);
  }

  static create(appId: string, player: string): PlayerKey {
    return new PlayerKey(appId, player, randomBytes(KEY_BYTES));
  }

  /** As it goes under MASTER_KEY. */
  encode(): string {
    return this.key.toString('base64');
  }

  /** Encrypts a text: `p1.key.iv.tag.ciphertext`. */
  seal(field: PersonalField, text: string): string {
    return [VERSION, this.#name(), encryptText(this.key, text, this.#context(field))].join('.');
  }

  /**
   * Decrypts a text of `seal`; undefined where it is under a former key of the player, who was erased.
   *
   * @throws Fault `undecodable` when it was altered, or is another player's or another field's.
   */
  open(field: PersonalField, sealed: string): string | undefined {
    const [version, keyId, ...rest] = sealed.split('.');
    if (version !== VERSION) throw unopenable();
    try {
      return decryptText(this.key, rest.join('.'), this.#context(field));
    } catch (error) {
      // No text opens under another key than its own: a text that does not open is asked for its key's name.
      if (keyId !== this.#name()) return undefined;
      throw unopenable(error);
    }
  }

  /** Most keys only open texts, and need no name. */
  #name(): string {
    return (this.#id ??= deriveKeyId(this.key, 'subledger player key id', KEY_ID_DIGITS));
  }

  #context(field: PersonalField): readonly string[] {
    return [VERSION, this.appId, this.player, field];
  }
}

function unopenable(cause?: unknown): Fault {
  const message =
    "a player's sealed text cannot be opened: it was altered, or is of another player or field";
  return new Fault('undecodable', message, { retryable: false, cause });
}
