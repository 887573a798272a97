import { beforeEach, expect, it } from 'vitest';
import type { LogStore } from '../storage/log-store.js';
import { StreamHeads } from './stream-heads.js';

let lookedUp: string[];
let heads: StreamHeads;
beforeEach(() => {
  lookedUp = [];
  const streamNumber = (name: string): undefined => {
    lookedUp.push(name);
    return undefined;
  };
  // Of a store without these streams, heads need this method and no more.
  heads = new StreamHeads({ streamNumber } as unknown as LogStore);
});

const NO_DATA = Buffer.alloc(0);
const event = (position: number) => ({ revision: 0, position, id: Buffer.alloc(16) });

it('the head of a metastream is one, by its name and by its stream', () => {
  const metastream = heads.metastream(heads.get('s'));
  expect(heads.get('$$s')).toBe(metastream);
  expect(heads.get('$$$$s')).toBe(heads.metastream(metastream));
  expect(lookedUp).toEqual(['s', '$$s', '$$$$s']);
});

it('a head that is not written is kept, also where others push it out', () => {
  const head = heads.get('s');
  heads.advance(head, event(1), NO_DATA);
  for (let n = 0; n < 50_000; n += 1) heads.get(`other-${n}`);
  expect(heads.get('s')).toBe(head);
});

it('a metastream that is not written keeps the head of its stream', () => {
  const metastream = heads.get('$$s');
  heads.advance(metastream, event(1), Buffer.from('{"$maxCount":3}'));
  for (let n = 0; n < 50_000; n += 1) heads.get(`other-${n}`);
  expect(heads.metastream(heads.get('s'))).toBe(metastream);
  heads.release(0);
  expect(metastream.unwritten).toHaveLength(1);
  heads.release(1);
  expect(metastream.unwritten).toEqual([]);
  expect(heads.get('$$s').metadata?.json.toString()).toBe('{"$maxCount":3}');
});
