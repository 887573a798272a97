import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('makes no difference between what tests make and what Node.js makes', () => {
  expect(readdirSync('test/tiers')).toBeInstanceOf(Array);
  expect(() => readFileSync('nowhere')).toThrow(Error);
  expect(Reflect.getPrototypeOf(process.versions)).toBe(Object.prototype);
});
