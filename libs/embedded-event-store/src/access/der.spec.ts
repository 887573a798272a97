import { expect, it } from '@jest/globals';
import { readContent, octets, readParts, sequence, time } from './der.js';

it.each([
  [0, '0400'],
  [127, '047f'],
  [128, '048180'],
  [255, '0481ff'],
  [256, '04820100'],
  [70_000, '0483011170'],
])('a length of %i is written as the standard asks, and read again', (length, header) => {
  const value = octets(Buffer.alloc(length, 7));
  expect(value.subarray(0, value.length - length).toString('hex')).toBe(header);
  expect(readContent(value)).toEqual(Buffer.alloc(length, 7));
  const [first, second, ...others] = readParts(sequence(value, octets(Buffer.of(1))));
  expect([first, second, others]).toEqual([value, Buffer.from('040101', 'hex'), []]);
});

it.each([
  ['2026-11-26T21:05:09.999Z', 0x17, '261126210509Z'],
  ['2049-12-31T23:59:59Z', 0x17, '491231235959Z'],
  ['2050-01-01T00:00:00Z', 0x18, '20500101000000Z'],
])('%s has the years that the standard asks for', (text, tag, digits) => {
  const value = time(new Date(text));
  expect([value[0], readContent(value).toString()]).toEqual([tag, digits]);
});
