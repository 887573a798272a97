import { describe, expect, it } from 'vitest';
import { ApiError } from '../answer/api-error.js';
import { parseJsonBody } from './json-body.js';

/** The first bad field of a body that is refused, and why. */
function refusedWith(bytes: Buffer | string, limits?: Parameters<typeof parseJsonBody>[1]): string {
  try {
    parseJsonBody(Buffer.from(bytes), limits);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [violation] = error.fieldViolations;
    return `${error.http} ${violation?.field}: ${violation?.description}`;
  }
  return 'taken';
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a JSON body', () => {
  it('is an object of any well-formed text', () => {
    const body = { user: { id: 'Zoë 😀 \u0000 \uFFFD' }, '😀': ['\ud83d\ude00'] };
    expect(parseJsonBody(Buffer.from(JSON.stringify(body)))).toEqual(body);
    expect(parseJsonBody(Buffer.from('{"a":"\\ud83d\\ude00\\u00e9"}'))).toEqual({ a: '😀é' });
  });

  it.each(['', '{', '[]', '"a"', '1', 'null', 'true', '{"a":1}x', "{'a':1}"])(
    'is not %j',
    (text) => {
      expect(refusedWith(text)).toMatch(/^400 body: /);
    },
  );

  it.each(['\uFEFF{"a":1}', '\uFEFF', '\uFEFF{'])('begins with no byte order mark: %j', (text) => {
    const said = '400 body: begins with a byte order mark (EF BB BF): send it without';
    expect(refusedWith(text)).toBe(said);
  });

  it.each([
    ['Latin-1 in a value', latin1('{"user":{"id":"Zo\u00eb"}}')],
    ['Latin-1 in a name', latin1('{"\u00eb":1}')],
    ['a surrogate in three bytes', latin1('{"id":"\xed\xa0\x80"}')],
    ['an overlong slash', latin1('{"id":"\xc0\xaf"}')],
    ['a character that is cut off', latin1('{"id":"\xf0\x9f\x98"}')],
    ['UTF-16', Buffer.from('\uFEFF{"id":"a"}', 'utf16le')],
  ])('is not %s', (_, bytes) => {
    expect(refusedWith(bytes)).toBe('400 body: must be UTF-8');
  });

  it.each([
    ['{"user":{"id":"a\\ud800"}}', '400 user.id: must not have half a surrogate pair'],
    ['{"list":["a","\\uDC00\\uD800"]}', '400 list.1: must not have half a surrogate pair'],
    ['{"a":{"b\\udfff":1}}', '400 body: the name of a field has half a surrogate pair'],
    ['{"\\u005f_proto__":1}', '400 __proto__: is not a field of this request'],
    ['{"a":{"__proto__":1}}', '400 a.__proto__: is not a field of this request'],
    ['{"data":{"constructor":1}}', '400 data.constructor: is not a field of this request'],
    ['{"metadata":{"__proto__":1}}', '400 metadata.__proto__: is not a field of this request'],
  ])('is not %s', (text, refusal) => {
    expect(refusedWith(text)).toBe(refusal);
  });

  it.each([
    ['{"cancel_at_period_end":true,"cancel_at_period_end":false}', 'cancel_at_period_end'],
    ['{"a":1,"b":{"c":"x:y","\\u0063":[]}}', 'b.c'],
    ['{"list":[{"a":1},{"a":1,"b":":","a":1}]}', 'list.1.a'],
    ['{"a":{"b":[1,2]},"a":{"b":[1,2]}}', 'a'],
  ])('names each field once: %s', (text, field) => {
    expect(refusedWith(text)).toBe(`400 ${field}: stands twice in the body`);
  });

  it('has names of the caller where its route says so, and nowhere else', () => {
    const freeNamesAt = ['metadata', 'items.*.metadata'];
    const text =
      '{"items":[{"metadata":{"constructor":"a","valueOf":"b"}}],"metadata":{"toString":"c"}}';
    expect(JSON.stringify(parseJsonBody(Buffer.from(text), { freeNamesAt }))).toBe(text);
    for (const [elsewhere, field] of [
      ['{"metadata":{"__proto__":"a"}}', 'metadata.__proto__'],
      ['{"metadata":{"a":{"toString":1}}}', 'metadata.a.toString'],
      ['{"metadata":[{"toString":1}]}', 'metadata.0.toString'],
      ['{"items":{"0":{"metadata":{"toString":1}}}}', 'items.0.metadata.toString'],
      ['{"items":{"*":{"metadata":{"toString":1}}}}', 'items.*.metadata.toString'],
      ['{"items":[{"a":{"metadata":{"toString":1}}}]}', 'items.0.a.metadata.toString'],
      ['{"constructor":1}', 'constructor'],
    ] as const) {
      const refusal = `400 ${field}: is not a field of this request`;
      expect(refusedWith(elsewhere, { freeNamesAt })).toBe(refusal);
    }
  });

  it('may have the same name in several objects, and colons in its texts', () => {
    const body = { a: { a: ':', b: [{ a: '":{"' }, { a: '\\"' }] }, b: 'a:b', '': { '': 1 } };
    expect(parseJsonBody(Buffer.from(JSON.stringify(body, null, 1)))).toEqual(body);
  });

  it('is refused for its depth, also where a field of the same name hides it', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    expect(refusedWith(`{"user":${deep}}`)).toMatch(
      /^400 user.*: is nested deeper than 32 levels$/,
    );
    expect(refusedWith(`{"user":${deep},"user":1}`)).toBe('400 user: stands twice in the body');
  });
});
