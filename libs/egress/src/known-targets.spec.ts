import { expect, it } from '@jest/globals';
import { readPlace, recallCheck } from './known-targets.js';

const strict = { allowInsecure: false };
const lax = { allowInsecure: true };

it('what was found of a target is of its rules, and of the URL as a whole', () => {
  for (const _ of [1, 2]) {
    expect(recallCheck('http://127.0.0.1/', lax).ok).toBe(true);
    expect(recallCheck('http://127.0.0.1/', strict).ok).toBe(false);
    expect(recallCheck('https://example.com/', strict).ok).toBe(true);
    expect(recallCheck('https://10.0.0.1/', strict).ok).toBe(false);
  }
});

it('a URL leads to an origin and a path, with what is searched for there', () => {
  for (const _ of [1, 2]) {
    const place = { origin: 'https://example.com:8443', path: '/hook?a=b' };
    expect(readPlace('https://example.com:8443/hook?a=b#c')).toEqual(place);
  }
});

it.each(['a%20b', 'a+b', 'flag', 'flag=', 'x=%2f', 'a=1&&a=2', 'n=1;2', 'id=7&checkout=1'])(
  'a query is asked for as it was written: ?%s',
  (query) => {
    expect(readPlace(`https://example.com/a%20b?${query}`).path).toBe(`/a%20b?${query}`);
  },
);
