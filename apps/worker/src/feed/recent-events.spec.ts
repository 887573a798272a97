import { describe, expect, it } from 'vitest';
import { EVENTS_KEPT } from '../limits.js';
import { at, createEvent } from '../spec-support/fakes.js';
import { RecentEvents } from './recent-events.js';

const PARTITIONS = 4;
const KEPT = EVENTS_KEPT / PARTITIONS;

function create() {
  const cursors = new Map([['whe_1', at(0)]]);
  const recent = new RecentEvents({ all: cursors }, { count: PARTITIONS });
  const note = (after: number, numbers: readonly number[], upTo: number) =>
    recent.note(at(after), { events: numbers.map((n) => createEvent('sub_1', n)), upTo: at(upTo) });
  const next = (after: number, count = 2) => {
    const batch = recent.next(at(after), count);
    return batch && [batch.events.map(({ position }) => Number(position)), Number(batch.upTo)];
  };
  return { cursors, note, next };
}

describe('events that were worked on while an endpoint is backlogged', () => {
  it('are given again from any position on, as far as they were worked on', () => {
    const { note, next } = create();
    note(3, [5, 7], 8);
    note(8, [9], 12);
    expect([next(3), next(5), next(7)]).toEqual([
      [[5, 7], 7],
      [[7, 9], 12],
      [[9], 12],
    ]);
    expect(next(10)).toEqual([[], 12]);
  });

  it('are asked of the store before and behind what is known', () => {
    const { note, next } = create();
    expect(next(3)).toBeUndefined();
    note(3, [5], 8);
    expect([next(2), next(8), next(9)]).toEqual([undefined, undefined, undefined]);
  });

  it('are not known across a gap', () => {
    const { note, next } = create();
    note(3, [5], 8);
    note(20, [21], 22);
    expect([next(3), next(8)]).toEqual([undefined, undefined]);
    expect(next(20)).toEqual([[21], 22]);
  });

  it('that come a second time are there once', () => {
    const { note, next } = create();
    note(3, [5, 7], 8);
    note(3, [5, 7, 9], 10);
    expect(next(3, 9)).toEqual([[5, 7, 9], 10]);
  });

  it('are all still there when fewer of them come a second time', () => {
    const { note, next } = create();
    note(3, [5, 7], 8);
    note(3, [5], 6);
    expect([next(5, 9), next(7)]).toEqual([
      [[7], 8],
      [[], 8],
    ]);
  });

  it('are let go when no endpoint is backlogged any more', () => {
    const { cursors, note, next } = create();
    note(3, [5], 8);
    cursors.clear();
    note(8, [9], 10);
    expect([next(3), next(8)]).toEqual([undefined, undefined]);
    cursors.set('whe_1', at(10));
    note(10, [11], 12);
    expect([next(3), next(10)]).toEqual([undefined, [[11], 12]]);
  });

  it('are bounded: of too many the oldest go', () => {
    const { note, next } = create();
    const numbers = Array.from({ length: KEPT + 2 }, (_, n) => n + 1);
    note(0, numbers, KEPT + 2);
    expect(next(1)).toBeUndefined();
    expect(next(2)).toEqual([[3, 4], 4]);
  });
});
