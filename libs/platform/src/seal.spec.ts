import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Fault } from './fault.js';
import { fixedMasterKeys } from './master-keys.js';
import { createSeal, sealingKeyId } from './seal.js';

const masterKey = Buffer.alloc(32, 7);
/** Made by this release. */
const GOLDEN = 'v3.aad243d5aeee.CQkJCQkJCQkJCQkJ.XqjMlbez7eL_M3kqs1H3xw.ehyYNacUv26JDg';
const CONTEXT = { appId: 'app_1', purpose: 'webhook secret' };

describe('a seal', () => {
  it('opens what it sealed, and seals the same text differently each time', () => {
    const seal = createSeal(masterKey);
    const sealed = seal.seal('whsec_Zürich', CONTEXT);
    expect(sealed).toMatch(/^v3\.[0-9a-f]{12}\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sealed).not.toBe(seal.seal('whsec_Zürich', CONTEXT));
    expect(createSeal(masterKey).open(sealed, CONTEXT)).toBe('whsec_Zürich');
    expect(seal.open(seal.seal('', CONTEXT), CONTEXT)).toBe('');
  });

  it('opens what was sealed years ago', () => {
    expect(createSeal(masterKey).open(GOLDEN, CONTEXT)).toBe('whsec_then');
    const rotated = fixedMasterKeys([randomBytes(32), masterKey]);
    expect(createSeal(rotated).open(GOLDEN, CONTEXT)).toBe('whsec_then');
  });

  it('names the key that a text is under, which follows from the key', () => {
    const seal = createSeal(masterKey);
    expect(seal.keyIds()).toEqual(['aad243d5aeee']);
    expect(sealingKeyId(seal.seal('x', CONTEXT))).toBe('aad243d5aeee');
    expect(sealingKeyId(GOLDEN)).toBe('aad243d5aeee');
  });

  it('seals under the first of several keys, and opens under each of them', () => {
    const former = createSeal(masterKey);
    const present = randomBytes(32);
    const both = createSeal(fixedMasterKeys([present, masterKey]));
    expect(both.open(former.seal('a secret', CONTEXT), CONTEXT)).toBe('a secret');
    expect(createSeal(present).open(both.seal('a secret', CONTEXT), CONTEXT)).toBe('a secret');
    expect(() => former.open(both.seal('a secret', CONTEXT), CONTEXT)).toThrow(Fault);
    expect(both.deriveKeys('page tokens')).toEqual([
      ...createSeal(present).deriveKeys('page tokens'),
      ...former.deriveKeys('page tokens'),
    ]);
  });

  it('looks for a key that came since it was made', () => {
    const keys = [masterKey];
    let refreshed = 0;
    const present = randomBytes(32);
    const refresh = () => {
      refreshed += 1;
      keys[0] = present;
    };
    const seal = createSeal({ list: () => keys, refresh, environment: {} });
    const sealed = createSeal(present).seal('a secret', CONTEXT);
    expect(seal.open(sealed, CONTEXT)).toBe('a secret');
    expect(seal.open(sealed, CONTEXT)).toBe('a secret');
    expect(refreshed).toBe(1);
  });

  it('opens nothing that another key sealed', () => {
    const sealed = createSeal(masterKey).seal('a secret', CONTEXT);
    expect(() => createSeal(randomBytes(32)).open(sealed, CONTEXT)).toThrow(Fault);
  });

  it.each<[string, (sealed: string) => string]>([
    ['another version', (sealed) => sealed.replace('v3', 'v1')],
    ['another key id', (sealed) => sealed.replace(/^v3\.\w+/, 'v3.000000000000')],
    ['an altered text', (sealed) => `${sealed.slice(0, -2)}AA`],
    ['a shortened tag', shortenTag],
    ['something else', () => 'secret'],
  ])('does not open with %s', (_, alter) => {
    const seal = createSeal(masterKey);
    expect(() => seal.open(alter(seal.seal('a secret', CONTEXT)), CONTEXT)).toThrow(Fault);
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
    expect(seal.deriveKeys('page tokens')[0]).toHaveLength(32);
    expect(seal.deriveKeys('page tokens')).toEqual(createSeal(masterKey).deriveKeys('page tokens'));
    expect(seal.deriveKeys('page tokens')).not.toEqual(seal.deriveKeys('links'));
  });

  it('needs a key of 32 bytes', () => {
    expect(() => createSeal(Buffer.alloc(16))).toThrow(/32 bytes/);
  });
});

function shortenTag(sealed: string): string {
  const [version, key, iv, tag, ciphertext] = sealed.split('.');
  return [version, key, iv, tag?.slice(0, 6), ciphertext].join('.');
}
