import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Fault } from './fault.js';
import { createSeal } from './seal.js';

const masterKey = Buffer.alloc(32, 7);

describe('a seal', () => {
  it('opens what it sealed, and seals the same text differently each time', () => {
    const seal = createSeal(masterKey);
    const sealed = seal.seal('whsec_Zürich');
    expect(sealed).toMatch(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sealed).not.toBe(seal.seal('whsec_Zürich'));
    expect(createSeal(masterKey).open(sealed)).toBe('whsec_Zürich');
    expect(seal.open(seal.seal(''))).toBe('');
  });

  it('opens what was sealed years ago', () => {
    const stored = 'v1.CQkJCQkJCQkJCQkJ.GMI0gOav4v37Qi853qsO_A.ehyYNacUv26JDg';
    expect(createSeal(masterKey).open(stored)).toBe('whsec_then');
  });

  it.each([
    ['another key', (sealed: string) => [createSeal(randomBytes(32)), sealed] as const],
    [
      'another version',
      (sealed: string) => [createSeal(masterKey), sealed.replace('v1', 'v2')] as const,
    ],
    [
      'an altered text',
      (sealed: string) => [createSeal(masterKey), `${sealed.slice(0, -2)}AA`] as const,
    ],
    ['a shortened tag', (sealed: string) => [createSeal(masterKey), shortenTag(sealed)] as const],
    ['something else', () => [createSeal(masterKey), 'secret'] as const],
  ])('does not open with %s', (_, prepare) => {
    const [seal, sealed] = prepare(createSeal(masterKey).seal('a secret'));
    expect(() => seal.open(sealed)).toThrow(Fault);
  });

  it('derives a key of its own for each purpose', () => {
    const seal = createSeal(masterKey);
    expect(seal.deriveKey('page tokens')).toHaveLength(32);
    expect(seal.deriveKey('page tokens')).toEqual(createSeal(masterKey).deriveKey('page tokens'));
    expect(seal.deriveKey('page tokens')).not.toEqual(seal.deriveKey('links'));
  });

  it('needs a key of 32 bytes', () => {
    expect(() => createSeal(Buffer.alloc(16))).toThrow(/32 bytes/);
  });
});

function shortenTag(sealed: string): string {
  const [version, iv, tag, ciphertext] = sealed.split('.');
  return [version, iv, tag?.slice(0, 6), ciphertext].join('.');
}
