import { expect, it } from 'vitest';
import type { Redis } from '#redis';
import { Fault } from '#platform';
import type { ParkedEntry, WorkerKeys } from '#worker-state';
import { createLease } from '../spec-support/fakes.js';
import { ParkedSet } from './parked-set.js';

it('a stream stays held here where Redis is gone before it was tried again', async () => {
  const entry = { streamName: 'subscription-sub_1', revision: 3 } as ParkedEntry;
  const away = new Fault('unavailable', 'Redis is away', { retryable: true });
  const answers = [async () => [JSON.stringify(entry)]];
  const hvals = async () => {
    const answer = answers.shift();
    if (answer === undefined) throw away;
    return answer();
  };
  const redis = { hvals } as unknown as Redis;
  const parked = new ParkedSet(redis, { parked: 'parked' } as WorkerKeys, createLease());
  await parked.load();
  const work = async () => {
    expect(parked.holds(entry)).toBe(false);
    throw away;
  };
  await expect(parked.retry(entry.streamName, work)).rejects.toThrow('Redis is away');
  expect(parked.holds(entry)).toBe(true);
});
