import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isSignedBy, isTimely, parseSignature, SIGNATURE_TOLERANCE_MS } from './signature.js';

const KEY = Buffer.from('a key of thirty-two random bytes');
const OTHER = Buffer.from('another key, of an app that is not');
const NOW = 1_700_000_000_000;

/** Made by Python's hmac and base64 over `1700000000000.{"a":1}` with KEY. */
const VECTOR = '7wbcZ3inImWevR+j+zAec4NZCXQUgadtrbc0HWZwp94=';

function sign(body: string, key = KEY): string {
  return createHmac('sha256', key).update(`${NOW}.${body}`).digest('base64');
}

function accepts(mac: string, body: string | undefined, keys = [KEY]): boolean {
  const signature = parseSignature(`v1;app_1;${NOW};${mac}`);
  if (signature === undefined) throw new Error('the signature is malformed');
  return isSignedBy(keys, signature, body === undefined ? undefined : Buffer.from(body));
}

describe('a signature header', () => {
  it('has four parts', () => {
    expect(parseSignature(`v1;app_1;${NOW};${VECTOR}`)).toEqual({
      appId: 'app_1',
      timestamp: String(NOW),
      mac: Buffer.from(VECTOR, 'base64'),
    });
  });

  it.each([
    ['nothing', ''],
    ['another version', `v2;app_1;${NOW};${VECTOR}`],
    ['the version in capitals', `V1;app_1;${NOW};${VECTOR}`],
    ['no app', `v1;;${NOW};${VECTOR}`],
    ['no timestamp', `v1;app_1;;${VECTOR}`],
    ['a negative timestamp', `v1;app_1;-1;${VECTOR}`],
    ['a timestamp that is no integer', `v1;app_1;1.7e12;${VECTOR}`],
    ['an endless timestamp', `v1;app_1;${'9'.repeat(400)};${VECTOR}`],
    ['no signature', `v1;app_1;${NOW};`],
    ['a signature of another length', `v1;app_1;${NOW};${VECTOR.slice(4)}`],
    ['a signature that is no base64', `v1;app_1;${NOW};${VECTOR.replace('N', '!')}`],
    ['a signature in hexadecimal', `v1;app_1;${NOW};${'ab'.repeat(32)}`],
    ['a fifth part', `v1;app_1;${NOW};${VECTOR};x`],
    ['other separators', `v1,app_1,${NOW},${VECTOR}`],
  ])('that has %s is malformed', (_, value) => {
    expect(parseSignature(value)).toBeUndefined();
  });

  it.each([
    [0, true],
    [SIGNATURE_TOLERANCE_MS, true],
    [-SIGNATURE_TOLERANCE_MS, true],
    [SIGNATURE_TOLERANCE_MS + 1, false],
    [-SIGNATURE_TOLERANCE_MS - 1, false],
  ])('that is %i ms off is timely: %s', (offMs, timely) => {
    const signature = parseSignature(`v1;app_1;${NOW};${VECTOR}`)!;
    expect(isTimely(signature, NOW + offMs)).toBe(timely);
  });
});

describe('a signature', () => {
  it('is HMAC-SHA256 over the timestamp, a dot and the body', () => {
    expect(accepts(VECTOR, '{"a":1}')).toBe(true);
    expect(sign('{"a":1}')).toBe(VECTOR);
  });

  it('of a request without a body is over the timestamp and the dot', () => {
    expect(accepts(sign(''), undefined)).toBe(true);
    expect(accepts(sign('{}'), undefined)).toBe(false);
  });

  it.each([
    ['indented', '{\n  "a" : [ 1, 2 ],\r\n\t"b": null\n}', '{"a":[1,2],"b":null}'],
    ['with white space in strings', '{ "a b":\t" c\\td " }', '{"a b":" c\\td "}'],
    ['with escaped quotes', '{ "a": "say \\"x  y\\"", "b": 1 }', '{"a":"say \\"x  y\\"","b":1}'],
    ['with backslashes before quotes', '{ "a": "\\\\", "b": " " }', '{"a":"\\\\","b":" "}'],
    ['with letters of all kinds', '{ "name": "Zoë ☃ 🎮" }', '{"name":"Zoë ☃ 🎮"}'],
    [
      'with numbers as they are',
      '{ "n": 1.0e+2, "big": 90071992547409930 }',
      '{"n":1.0e+2,"big":90071992547409930}',
    ],
    ['with a space that is no white space of JSON', '{ "a": "\u00a0" }', '{"a":"\u00a0"}'],
  ])('may be over the compact form of a body that is %s', (_, body, compact) => {
    expect(accepts(sign(body), body)).toBe(true);
    expect(accepts(sign(compact), body)).toBe(true);
  });

  it('over an indented form is not one over the compact form that came', () => {
    expect(accepts(sign('{ "a": 1 }'), '{"a":1}')).toBe(false);
  });

  it('over a body whose strings have other white space is none', () => {
    expect(accepts(sign('{"a":"xy"}'), '{"a":"x y"}')).toBe(false);
  });

  it('by any of the valid keys will do, and by no other', () => {
    expect(accepts(sign('{}', OTHER), '{}', [KEY, OTHER])).toBe(true);
    expect(accepts(sign('{}', KEY), '{}', [KEY, OTHER])).toBe(true);
    expect(accepts(sign('{}', OTHER), '{}', [KEY])).toBe(false);
    expect(accepts(sign('{}'), '{}', [])).toBe(false);
  });

  it('over the compact form of any JSON fits however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 8 }), (value, indent) => {
        expect(accepts(sign(JSON.stringify(value)), JSON.stringify(value, null, indent))).toBe(
          true,
        );
      }),
    );
  });
});
