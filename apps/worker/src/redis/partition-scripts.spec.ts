import { describe, expect, it } from 'vitest';
import { Fenced } from '#projection-engine';
import { workerKeys } from '#worker-state';
import { at, createLease } from '../spec-support/fakes.js';
import { PartitionScripts } from './partition-scripts.js';

function create(checkpoint: { reached: string | undefined; reachedForFeed: string }) {
  const called: unknown[] = [];
  const script = async (_: unknown, keys: readonly string[], args: readonly unknown[]) => {
    called.push([keys, args]);
    return 'applied';
  };
  const keys = workerKeys('store-1', 0);
  // Only the script would ask Redis.
  const scripts = new PartitionScripts(undefined as never, keys, createLease(), checkpoint);
  return { scripts, script, called, keys };
}

describe('the scripts of a partition', () => {
  it('name the token, and what the checkpoint has reached', async () => {
    const { scripts, script, called, keys } = create({ reached: at(7), reachedForFeed: '' });
    await scripts.runForJob(script, ['a'], [1]);
    await scripts.runForFeed(script, ['a'], [1]);
    const { key, token } = createLease().fence;
    const named = [key, keys.checkpoint, 'a'];
    expect(called).toEqual([
      [named, [token, at(7), 1]],
      [named, [token, '', 1]],
    ]);
  });

  it('are not run for jobs before the feed knows what Redis has', async () => {
    const { scripts, script, called } = create({ reached: undefined, reachedForFeed: '' });
    await expect(scripts.runForJob(script, [], [])).rejects.toThrow(Fenced);
    expect(called).toEqual([]);
  });
});
