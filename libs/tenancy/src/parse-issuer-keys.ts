import type { JSONWebKeySet, JWK } from 'jose';

/** Issuers have one key or two, while one is rotated; some name more. */
const MAX_KEYS = 32;
/** In base64url, 8192 bits: a check takes longer with the square of it, and this machine makes it. */
const MAX_MODULUS_CHARACTERS = 1_366;
/** 65537 has four; a longer one makes checks slow, too. */
const MAX_EXPONENT_CHARACTERS = 6;
/** Of any other member: coordinates have 88 at most. */
const MAX_CHARACTERS = 300;
/** The parameters of public keys (RFC 7518, 6; RFC 8037, 2). Certificates and private parts are not kept. */
const TEXTS = ['kty', 'kid', 'alg', 'use', 'crv', 'n', 'e', 'x', 'y'] as const;
const KEY_TYPES: readonly unknown[] = ['RSA', 'EC', 'OKP'];

/**
 * Reads the JWK Set of a token issuer. A key that cannot be used is left out, as RFC 7517, 5 has it; a set
 * without keys says that no token is good.
 *
 * @throws Error for a text that is no JWK Set.
 */
export function parseIssuerKeys(text: string): JSONWebKeySet {
  const set = parseJson(text);
  const keys = isObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Error('it is no JWK Set');
  return { keys: keys.flatMap(readKey).slice(0, MAX_KEYS) };
}

/** The issuer's text may not reach a log, and the parser quotes it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('it is no JSON');
  }
}

function readKey(value: unknown): JWK[] {
  if (!isObject(value) || !KEY_TYPES.includes(value['kty'])) return [];
  const members = TEXTS.filter((name) => value[name] !== undefined).map(
    (name) => [name, value[name]] as const,
  );
  const isShort = members.every(
    ([name, member]) => typeof member === 'string' && member.length <= longest(name),
  );
  // Each member is text, as those of `JWK` are.
  return isShort ? [Object.fromEntries(members)] : [];
}

function longest(name: (typeof TEXTS)[number]): number {
  if (name === 'n') return MAX_MODULUS_CHARACTERS;
  return name === 'e' ? MAX_EXPONENT_CHARACTERS : MAX_CHARACTERS;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
