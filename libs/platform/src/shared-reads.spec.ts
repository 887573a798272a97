import { describe, expect, it } from 'vitest';
import { SharedReads } from './shared-reads.js';

function create() {
  const begun: string[] = [];
  let value = 0;
  const reads = new SharedReads(async (key: string) => {
    begun.push(key);
    const read = value;
    await new Promise((resolve) => setImmediate(resolve));
    if (key === 'bad') throw new Error('out of reach');
    return read;
  });
  return { reads, begun, set: (to: number) => void (value = to) };
}

describe('reads of the same', () => {
  it('that are asked for together are made once', async () => {
    const { reads, begun } = create();
    expect(await Promise.all(['a', 'b', 'a', 'a'].map((key) => reads.load(key)))).toHaveLength(4);
    expect(begun).toEqual(['a', 'b']);
  });

  it('give nothing that was read before they were asked for', async () => {
    const { reads, begun, set } = create();
    const first = reads.load('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['a']);
    set(1);
    expect(await Promise.all([first, reads.load('a')])).toEqual([0, 1]);
  });

  it('that fail are the failure of their own callers', async () => {
    const { reads } = create();
    const asked = await Promise.allSettled([reads.load('bad'), reads.load('a'), reads.load('bad')]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  });

  it('that fail are made again when they are asked for again', async () => {
    const { reads, begun } = create();
    await expect(reads.load('bad')).rejects.toThrow('out of reach');
    await expect(reads.load('bad')).rejects.toThrow('out of reach');
    expect(begun).toEqual(['bad', 'bad']);
  });
});
