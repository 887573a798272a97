import { expect, it } from 'vitest';
import { killWhileWriting } from './books.chaos.js';
import { BOOKS_STEPS } from './books/steps.js';

/** Between the two files of a writing, and behind its event: `npm run test:long` has all. */
const SHORT = ['has one file of two in place', 'has appended the files'];

/** The short form of `npm run chaos -- books`. */
it('has each entry once in the books, whatever the bookkeeper dies at', async () => {
  const steps = BOOKS_STEPS.filter(({ name }) => SHORT.includes(name));
  expect(steps).toHaveLength(SHORT.length);
  const { findings, figures } = await killWhileWriting(steps, () => undefined);
  expect(findings).toEqual([]);
  expect(figures).toEqual({ kills: 2, purchases: 40 });
});
