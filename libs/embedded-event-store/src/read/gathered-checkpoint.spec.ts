import { expect, it } from 'vitest';
import { CHECKPOINTS_GATHERED_MS } from '../limits.js';
import { GatheredCheckpoint } from './checkpoints.js';

const NOW_MS = 1_000;

it('is sent at once after a pause, and the last of those that follow closely a moment later', () => {
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

it('is not owed any more when an event was sent behind it', () => {
  const checkpoint = new GatheredCheckpoint();
  checkpoint.owe(1);
  checkpoint.forget();
  expect(checkpoint.take(NOW_MS)).toBeUndefined();
});
