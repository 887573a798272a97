import { expect, it } from 'vitest';
import { LRUCache } from 'lru-cache';
import { upTo } from './shared-reads.js';

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
