import { describe, expect, it } from 'vitest';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import {
  readCommandKey,
  readConsistencyToken,
  readIfMatch,
  setConsistencyToken,
} from './headers.js';

function request(
  headers: Readonly<Record<string, string | string[]>>,
  { method = 'POST', url = '/x', body = '' } = {},
): FastifyRequest {
  // Of a request, the functions here read no more than this.
  return { headers, method, url, rawBody: Buffer.from(body) } as unknown as FastifyRequest;
}

function reply() {
  const headers: Record<string, string> = {};
  const recording = { header: (name: string, value: string) => (headers[name] = value) };
  // Of a reply, the functions here call no more than this.
  return { headers, reply: recording as unknown as FastifyReply };
}

const KEY = Buffer.alloc(32, 1);

describe('Idempotency-Key', () => {
  const withKey = (options?: Parameters<typeof request>[1], key = KEY) =>
    readCommandKey(request({ 'idempotency-key': 'k1' }, options), () => key);

  it('comes with a hash of all that was asked', () => {
    const first = withKey({ body: '{"a":1}' });
    const hash = expect.stringMatching(/^[\w-]{43}$/);
    expect(first).toEqual({ commandId: 'k1', commandHash: hash });
    expect(withKey({ body: '{"a":1}' })).toEqual(first);
    for (const other of [{ body: '{"a":2}' }, { method: 'PATCH' }, { url: '/y' }]) {
      expect(withKey({ body: '{"a":1}', ...other })?.commandHash).not.toBe(first?.commandHash);
    }
  });

  it('comes with a hash under the key of the app', () => {
    const first = withKey({ body: 'a' });
    expect(withKey({ body: 'a' }, Buffer.alloc(32, 2))?.commandHash).not.toBe(first?.commandHash);
    // As it is stored.
    expect(first?.commandHash).toBe('Kf91OxgMZCBw4iH1lJNNwo4LzY2WKk-_Hs1l1qhec8A');
  });

  it('may be missing', () => {
    const openHashKey = (): never => {
      throw new Error('opened for nothing');
    };
    expect(readCommandKey(request({}), openHashKey)).toBeUndefined();
  });

  it.each(['a b', ' ', '~', '"', 'a,b', 'a,', 'k'.repeat(255)])('may be %j', (key) => {
    const read = readCommandKey(request({ 'idempotency-key': key }), () => KEY);
    expect(read).toMatchObject({ commandId: key });
  });

  it.each(['', 'k'.repeat(256), 'snow☃', 'tab\t', 'line\n', 'a, b', 'a, a', ', '])(
    '%j is refused',
    (key) => {
      const read = () => readCommandKey(request({ 'idempotency-key': key }), () => KEY);
      expect(read).toThrow(ApiError);
    },
  );
});

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    ['"3"', [3]],
    ['"0"', [0]],
    ['"3", "4"', [3, 4]],
    ['"3",W/"4"', [3, 4]],
    ['W/"3"', [3]],
    ['"3-gzip"', [3]],
    ['"3-br"', [3]],
    ['"3;gzip"', [3]],
    ['W/"3-gzip"', [3]],
    ['W/"3;gzip"', [3]],
    ['w/"3"', []],
    ['W/3', []],
    ['"3-7"', []],
    ['"3-gzip-gzip"', []],
    ['"3gzip"', []],
    ['3', []],
    ['"03"', []],
    ['"-1"', []],
    ['"abc"', []],
    ['', []],
  ])('%j names the revisions %j', (tag, revisions) => {
    expect(readIfMatch(request(tag === undefined ? {} : { 'if-match': tag }))).toEqual(revisions);
  });
});

describe('x-consistency-token', () => {
  it.each(['3f', undefined])('names the position of an answer, and the bucket %s', (bucket) => {
    const { headers, reply: answer } = reply();
    setConsistencyToken(answer, '00000000000000000042', bucket);
    expect(readConsistencyToken(request(headers))).toEqual({
      position: '00000000000000000042',
      bucket,
    });
  });

  it('has a position and a bucket of the event store alone: it outlives swaps of read models', () => {
    const { headers, reply: answer } = reply();
    setConsistencyToken(answer, '00000000000000000042', '3f');
    expect(headers).toEqual({ 'x-consistency-token': 'c1.3f.00000000000000000042' });
  });

  it('is left out for an empty stream', () => {
    const { headers, reply: answer } = reply();
    setConsistencyToken(answer, null);
    expect(headers).toEqual({});
  });

  it.each([
    ...['', 'c1.', 'c1.42', 'c2.00000000000000000042', 'c1.0000000000000000004x'],
    ...['c1.3.00000000000000000042', 'c1.3F.00000000000000000042', 'c1.3f00000000000000000042'],
    ...['c1..00000000000000000042', 'c1.3f.00000000000000000042.3f'],
  ])('%j is refused', (token) => {
    expect(() => readConsistencyToken(request({ 'x-consistency-token': token }))).toThrow(ApiError);
  });
});
