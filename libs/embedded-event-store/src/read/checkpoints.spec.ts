import { expect, it } from 'vitest';
import { CHECKPOINTS_GATHERED_MS } from '../limits.js';
import { Checkpoints, GatheredCheckpoint } from './checkpoints.js';

it('a checkpoint is due each time the interval was considered', () => {
  const checkpoints = new Checkpoints(3);
  const due = Array.from({ length: 8 }, (_, n) => checkpoints.consider(n * 10));
  expect(due).toEqual([undefined, undefined, 20, undefined, undefined, 50, undefined, undefined]);
});

it('a checkpoint ends a catch-up with the last considered event, unless that was said already', () => {
  const checkpoints = new Checkpoints(2);
  expect(checkpoints.caughtUp()).toBeUndefined();
  checkpoints.consider(10);
  expect(checkpoints.caughtUp()).toBe(10);
  expect(checkpoints.caughtUp()).toBeUndefined();
  expect(checkpoints.consider(20)).toBe(20);
  expect(checkpoints.caughtUp()).toBeUndefined();
});

const NOW_MS = 1_000;

it('a gathered one is sent at once after a pause, and the last of those that follow closely a moment later', () => {
  const checkpoint = new GatheredCheckpoint();
  expect(checkpoint.dueInMs(NOW_MS)).toBeUndefined();
  checkpoint.owe(1);
  expect(checkpoint.take(NOW_MS)).toBe(1);
  checkpoint.owe(2);
  checkpoint.owe(undefined);
  expect(checkpoint.take(NOW_MS)).toBeUndefined();
  checkpoint.owe(3);
  expect(checkpoint.dueInMs(NOW_MS)).toBe(CHECKPOINTS_GATHERED_MS);
  expect(checkpoint.take(NOW_MS + CHECKPOINTS_GATHERED_MS)).toBe(3);
  expect(checkpoint.dueInMs(NOW_MS)).toBeUndefined();
});

it('a gathered one is not owed any more when an event was sent behind it', () => {
  const checkpoint = new GatheredCheckpoint();
  checkpoint.owe(1);
  checkpoint.forget();
  expect(checkpoint.take(NOW_MS)).toBeUndefined();
});
