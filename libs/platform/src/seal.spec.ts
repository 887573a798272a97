import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Fault } from './fault.js';
import { createSeal } from './seal.js';

const masterKey = Buffer.alloc(32, 7);
const CONTEXT = { appId: 'app_1', purpose: 'webhook secret' };

describe('a seal', () => {
  it('opens what it sealed, and seals the same text differently each time', () => {
    const seal = createSeal(masterKey);
    const sealed = seal.seal('whsec_Zürich', CONTEXT);
    expect(sealed).toMatch(/^v2\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sealed).not.toBe(seal.seal('whsec_Zürich', CONTEXT));
    expect(createSeal(masterKey).open(sealed, CONTEXT)).toBe('whsec_Zürich');
    expect(seal.open(seal.seal('', CONTEXT), CONTEXT)).toBe('');
  });

  it('opens what was sealed years ago', () => {
    const stored = 'v2.CQkJCQkJCQkJCQkJ.AF9ZvSF8rZ7ePbx581osBw.ehyYNacUv26JDg';
    expect(createSeal(masterKey).open(stored, CONTEXT)).toBe('whsec_then');
  });

  it.each([
    ['another key', (sealed: string) => [createSeal(randomBytes(32)), sealed] as const],
    [
      'another version',
      (sealed: string) => [createSeal(masterKey), sealed.replace('v2', 'v1')] as const,
    ],
    [
      'an altered text',
      (sealed: string) => [createSeal(masterKey), `${sealed.slice(0, -2)}AA`] as const,
    ],
    ['a shortened tag', (sealed: string) => [createSeal(masterKey), shortenTag(sealed)] as const],
    ['something else', () => [createSeal(masterKey), 'secret'] as const],
  ])('does not open with %s', (_, prepare) => {
    const [seal, sealed] = prepare(createSeal(masterKey).seal('a secret', CONTEXT));
    expect(() => seal.open(sealed, CONTEXT)).toThrow(Fault);
  });

  it.each([
    ['another app', { ...CONTEXT, appId: 'app_2' }],
    ['no app', { ...CONTEXT, appId: '' }],
    ['another purpose', { ...CONTEXT, purpose: 'token key' }],
    ['app and purpose the other way round', { appId: CONTEXT.purpose, purpose: CONTEXT.appId }],
  ])('does not open for %s', (_, context) => {
    const seal = createSeal(masterKey);
    expect(() => seal.open(seal.seal('a secret', CONTEXT), context)).toThrow(
      expect.objectContaining({ code: 'undecodable', retryable: false }),
    );
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
