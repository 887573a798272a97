import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import { createSeal, fixedMasterKeys } from '#platform';
import { createShopTokens } from './shop-tokens.js';

const AT = '2027-01-31T10:00:00.000Z';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const session = { player, sessionId: deriveId('ws', AT, '5f', 'one') };
const other = { player, sessionId: deriveId('ws', AT, '5f', 'another') };
const [newest, former] = [randomBytes(32), randomBytes(32)];
const tokens = createShopTokens(createSeal(newest));

type Read = (text: string) => unknown;
const readLink: Read = (text) => tokens.readLinkToken(text);
const readCookie: Read = (text) => tokens.readCookie(text);
const createLink = (of: typeof session) => tokens.createLinkToken(of);
const createCookie = (of: typeof session) => tokens.createCookie(of);

/** rules/webshop 1 */
describe.each([
  ['the token of a link', createLink, readLink, readCookie],
  ['the cookie of a session', createCookie, readCookie, readLink],
])('%s', (_what, create, read, readAsOther) => {
  it('names its session to us alone, and is made of signs that an address and a cookie may hold', () => {
    const text = create(session);
    expect(read(text)).toEqual(session);
    expect(text).toMatch(/^[\w.-]{60,200}$/);
    expect(text).not.toContain('5f2a');
    expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain(session.sessionId);
    expect(create(session)).not.toBe(text);
  });

  it('is nothing where a sign of it was changed, or it is of another use, key or form', () => {
    const text = create(session);
    for (let at = 0; at < text.length; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      // The last sign of a part in base64url has bits that say nothing.
      if (isSamePart(changed, text)) continue;
      expect(read(changed)).toBeUndefined();
    }
    expect(readAsOther(text)).toBeUndefined();
    for (const made of ['', '.', '..', 'a.b.c', '0'.repeat(5_000)])
      expect(read(made)).toBeUndefined();
    expect(createShopTokens(createSeal(former)).readLinkToken(text)).toBeUndefined();
  });
});

it('are read while the master key is exchanged, and no longer than the former key is there', () => {
  const before = createShopTokens(createSeal(former));
  const both = createShopTokens(createSeal(fixedMasterKeys([newest, former])));
  expect(both.readCookie(before.createCookie(session))).toEqual(session);
  expect(both.isCsrfToken(session, before.createCsrfToken(session))).toBe(true);
  expect(tokens.readCookie(before.createCookie(session))).toBeUndefined();
});

it('are none any more in a process that runs, once the key that they were made with is gone', () => {
  let keys: readonly Buffer[] = [former];
  const running = createShopTokens(createSeal({ ...fixedMasterKeys([]), list: () => keys }));
  const cookie = running.createCookie(session);
  const read = () => running.readCookie(cookie);
  const isForm = (token: string) => running.isCsrfToken(session, token);
  const token = running.createCsrfToken(read()!);
  keys = [newest, former];
  expect(read()).toEqual(session);
  const later = running.createCsrfToken(read()!);
  expect([token, later].map((one) => isForm(one))).toEqual([true, true]);
  keys = [newest];
  expect(read()).toBeUndefined();
  expect([token, later].map((one) => isForm(one))).toEqual([false, true]);
});

it('the token of forms is of one session, and the same one each time', () => {
  const token = tokens.createCsrfToken(session);
  expect(tokens.createCsrfToken(session)).toBe(token);
  expect(tokens.isCsrfToken(session, token)).toBe(true);
  for (const [of, wrong] of [
    [other, token],
    [session, ''],
    [session, token.slice(1)],
    [session, tokens.createCsrfToken(other)],
  ] as const) {
    expect(tokens.isCsrfToken(of, wrong)).toBe(false);
  }
});

function isSamePart(left: string, right: string): boolean {
  const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url'));
  const [a, b] = [bytes(left), bytes(right)];
  return a.length === b.length && a.every((part, index) => part.equals(b[index] ?? Buffer.of(0)));
}
