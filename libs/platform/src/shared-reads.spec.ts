import { LRUCache } from 'lru-cache';
import { describe, expect, it } from 'vitest';
import { SharedReads, upTo } from './shared-reads.js';

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

describe('a cache up to a number of entries', () => {
  it('keeps as many entries as were asked for, and of them those that were used last', () => {
    const cache = new LRUCache<string, number>(upTo(3));
    for (const [n, key] of ['a', 'b', 'c'].entries()) cache.set(key, n);
    cache.get('a');
    cache.set('d', 3);
    cache.set('d', 4);
    expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
    expect(cache.get('d')).toBe(4);
  });

  it('makes no room before there is something to keep', () => {
    const limit = 10_000_000;
    const before = process.memoryUsage();
    const cache = new LRUCache<string, number>(upTo(limit));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    cache.set('a', 1);
    // A cache that prepares each place takes some 20 bytes for it.
    const taken = heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(taken).toBeLessThan(limit);
  });
});
