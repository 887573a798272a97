import { randomUUID } from 'node:crypto';

/** Of a UUID's end; a page of a thousand items has a few forms for each. */
const DIGITS = 4;
const HEX = Buffer.from('0123456789abcdef');

/**
 * The ids of a page's forms: UUIDs that differ from those of all other pages in 106 random bits, and among themselves in
 * their last digits. They need not be secret, since they count for one player alone (rules/webshop 2), and a random
 * number for each of a hundred forms would cost more than the rest of the page.
 */
export class FormIds {
  /** Of one, in bytes. */
  static readonly bytes = 36;
  readonly #id = Buffer.from(randomUUID());
  #count = 0;

  /** The next one; its bytes are those of the one before it, changed. */
  next(): Uint8Array {
    for (let digit = 0; digit < DIGITS; digit += 1) {
      this.#id[FormIds.bytes - 1 - digit] = HEX[(this.#count >> (4 * digit)) & 0xf] ?? 0;
    }
    this.#count += 1;
    return this.#id;
  }
}
