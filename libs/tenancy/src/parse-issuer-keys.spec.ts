import { describe, expect, it } from 'vitest';
import { parseIssuerKeys } from './parse-issuer-keys.js';

/** The keys of a token issuer's JWK Set that are taken (rules/api 20). */
const KEY = { kty: 'OKP', crv: 'Ed25519', x: 'public', kid: 'first' };
const RSA = { kty: 'RSA', n: 'A'.repeat(1366), e: 'AQAB' };

describe('a set of keys', () => {
  it('has of each key what checks need, and nothing that is private', () => {
    const written = { ...KEY, x5c: ['certificate'], d: 'private', key_ops: ['sign'], ext: false };
    expect(parse(written, RSA)).toEqual([KEY, RSA]);
  });

  it.each<[string, unknown]>([
    ['a shared secret', { kty: 'oct', k: 'secret' }],
    ['an RSA key of more than 8192 bits', { ...RSA, n: 'A'.repeat(1367) }],
    ['an RSA key of a long exponent', { ...RSA, e: 'A'.repeat(7) }],
    ['a key that is named at length', { ...KEY, kid: 'k'.repeat(301) }],
    ['a key that is named by a number', { ...KEY, kid: 7 }],
    ['a key of a type that is not known', { ...KEY, kty: 'AKP' }],
    ['what is no object', 'key'],
    ['null', null],
  ])('is taken without %s', (_, key) => {
    expect(parse(key, KEY)).toEqual([KEY]);
  });

  it('is taken up to 32 keys', () => {
    expect(parse(...Array.from({ length: 40 }, () => KEY))).toHaveLength(32);
  });
});

function parse(...keys: readonly unknown[]) {
  return parseIssuerKeys(JSON.stringify({ keys })).keys;
}
