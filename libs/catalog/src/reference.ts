import { randomInt } from 'node:crypto';

/** Crockford's base 32: no I, L, O and U, so that a text read aloud is written down rightly. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = 4;
/** 40 bits: a guess hits one of two thousand once in half a billion. */
const LENGTH = 2 * GROUP;

/** The reference that a player tells the studio's support, such as `K7QM-3XZP`. */
export function newReference(): string {
  const signs = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${signs.slice(0, GROUP).join('')}-${signs.slice(GROUP).join('')}`;
}

/** As it is stored, however it was written down: `k7qm3xzp`, or an O for a zero. */
export function normalizeReference(text: string): string {
  const signs = text.toUpperCase().replace(/[\s-]/g, '');
  const meant = signs.replace(/O/g, '0').replace(/[IL]/g, '1');
  return `${meant.slice(0, GROUP)}-${meant.slice(GROUP)}`;
}
