import { expect, it } from 'vitest';
import { personNavigates } from './person-navigates.js';

const ask = (headers: Readonly<Record<string, string>>, method = 'GET') =>
  personNavigates({ method, headers });

/** rules/orders 6 */
it.each([
  ['goes to a page', { 'sec-fetch-dest': 'document' }, 'GET', true],
  ['says nothing, as a preview of a chat program', {}, 'GET', false],
  ['is a script', { 'sec-fetch-dest': 'empty' }, 'GET', false],
  ['has the page in a frame', { 'sec-fetch-dest': 'iframe' }, 'GET', false],
  ['asks for the head alone', { 'sec-fetch-dest': 'document' }, 'HEAD', false],
  [
    'prepares the page in advance',
    { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' },
    'GET',
    false,
  ],
] as const)('a browser that %s is taken for what it is', (_how, headers, method, navigates) => {
  expect(ask(headers, method)).toBe(navigates);
});
