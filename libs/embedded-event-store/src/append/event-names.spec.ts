import { beforeEach, expect, it } from 'vitest';
import type { LogStore } from '../storage/log-store.js';
import { encodeRecord } from '../storage/record.js';
import { EventNames } from './event-names.js';

let reads: number[];
let store: LogStore;
beforeEach(() => {
  reads = [];
  const record = (position: number): Buffer => {
    reads.push(position);
    const bytes = Buffer.alloc(0);
    const id = Buffer.alloc(16);
    const event = { id, type: `t-${position}`, isJson: false, metadata: bytes, data: bytes };
    return encodeRecord(`s-${position}`, event, { position, revision: 0, createdMs: 0 });
  };
  // Of the store, names need this method and no more.
  store = { record } as unknown as LogStore;
});

function expected(prefix: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, n) => `${prefix}-${first + n}`);
}

it.each([
  [1, 1],
  [1, 300],
  [255, 256],
  [256, 256],
  [200, 600],
  [511, 512],
])('names the events from %i to %i', (first, last) => {
  const names = new EventNames(store);
  expect(names.list('stream', first, last)).toEqual(expected('s', first, last));
  expect(names.list('type', first, last)).toEqual(expected('t', first, last));
});

it('reads each event once, for streams and types, and only what was asked for is behind it', () => {
  const names = new EventNames(store);
  names.list('stream', 1, 10);
  names.list('type', 5, 12);
  names.list('stream', 1, 12);
  expect(reads).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
});

it('forgets what was not asked for of late', () => {
  const names = new EventNames(store, 40_000);
  for (let page = 0; page < 10; page += 1) names.list('stream', page * 256, page * 256 + 255);
  reads = [];
  names.list('stream', 9 * 256, 10 * 256 - 1);
  expect(reads).toEqual([]);
  names.list('stream', 256, 511);
  expect(reads).toHaveLength(256);
});

it('reads nothing of what was added since the start but the page in which it began', () => {
  const names = new EventNames(store);
  for (let at = 600; at <= 900; at += 1) names.add(at, `s-${at}`, `t-${at}`);
  expect(names.list('stream', 520, 900)).toEqual(expected('s', 520, 900));
  expect(names.list('type', 520, 900)).toEqual(expected('t', 520, 900));
  expect(reads).toEqual(Array.from({ length: 600 - 512 }, (_, n) => 512 + n));
});

it('forgets what was added long ago, and reads it again', () => {
  const names = new EventNames(store, 40_000);
  for (let at = 1; at <= 2000; at += 1) names.add(at, `s-${at}`, `t-${at}`);
  reads = [];
  names.list('stream', 1900, 2000);
  expect(reads).toEqual([]);
  expect(names.list('stream', 1, 3)).toEqual(expected('s', 1, 3));
  expect(reads).toEqual([1, 2, 3]);
});
