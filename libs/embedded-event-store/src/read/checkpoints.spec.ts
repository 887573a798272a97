import { expect, it } from 'vitest';
import { Checkpoints } from './checkpoints.js';

it('is due each time the interval was considered', () => {
  const checkpoints = new Checkpoints(3);
  const due = Array.from({ length: 8 }, (_, n) => checkpoints.consider(n * 10));
  expect(due).toEqual([undefined, undefined, 20, undefined, undefined, 50, undefined, undefined]);
});

it('ends a catch-up with the last considered event, unless that was said already', () => {
  const checkpoints = new Checkpoints(2);
  expect(checkpoints.caughtUp()).toBeUndefined();
  checkpoints.consider(10);
  expect(checkpoints.caughtUp()).toBe(10);
  expect(checkpoints.caughtUp()).toBeUndefined();
  expect(checkpoints.consider(20)).toBe(20);
  expect(checkpoints.caughtUp()).toBeUndefined();
});
