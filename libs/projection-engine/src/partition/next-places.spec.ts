import { describe, expect, it } from 'vitest';
import type { Generations } from '#domain/projection';
import { findNextStep, type Placed, type PlacementInput, type Step } from './next-places.js';

const NOW = '2027-01-31T10:00:00.000Z';
const LATER = '2027-02-01T10:00:00.000Z';
const NO_ACTS: Generations = { last: 1, answering: 1, building: null, former: null };

const caughtUp = (generation: number, position = '5') => ({
  ...{ generation, isCaughtUp: true, position },
});
const behind = (generation: number) => ({ generation, isCaughtUp: false, position: '5' });
const built = (generation: number, changes = {}) => ({
  ...{ generation, hold: false, maxPerSecond: null, isPaused: false, gate: null },
  ...changes,
});
const acts = (changes: Partial<Generations>): Generations => ({ ...NO_ACTS, ...changes });
const FIRST = acts({ answering: null, building: built(1) });
const SWAPPED = acts({ last: 2, answering: 2, former: { generation: 1, until: LATER } });
const ROLLED_BACK = acts({ last: 2, answering: 1, former: { generation: 2, until: LATER } });

const next = (placed: Placed, changes: Partial<PlacementInput> = {}): Step | undefined =>
  findNextStep({ placed, acts: NO_ACTS, otherAnswers: false, now: NOW, ...changes });

const begin = (generation: number): Step => ({ kind: 'begin', generation });
const swap = (from: 'building' | 'former', keepsFormer = true): Step => ({
  ...{ kind: 'swap', from, keepsFormer },
});
const drop = (from: 'building' | 'former'): Step => ({ kind: 'drop', from });

describe('a partition in which nothing answers', () => {
  it('builds the generation that the acts name, and lets it answer, unchecked', () => {
    expect(next({})).toEqual(begin(1));
    expect(next({ building: behind(1) })).toBeUndefined();
    const answer = { kind: 'answer', from: 'building', isUnchecked: true };
    expect(next({ building: caughtUp(1) })).toEqual(answer);
    expect(next({}, { acts: SWAPPED })).toEqual(begin(2));
    expect(next({}, { acts: acts({ last: 2, building: built(2) }) })).toEqual(begin(1));
  });

  it('builds that one first, though another one was under way', () => {
    const during = { acts: acts({ last: 2, building: built(2) }) };
    expect(next({ building: caughtUp(2) }, during)).toEqual(drop('building'));
  });

  it('lets a kept one answer, where the acts name it', () => {
    const answer = { kind: 'answer', from: 'former', isUnchecked: false };
    expect(next({ former: caughtUp(1) }, { acts: ROLLED_BACK })).toEqual(answer);
  });

  it('waits for the gate with a first generation, where another version answers', () => {
    expect(next({}, { acts: FIRST, otherAnswers: true })).toEqual(begin(1));
    const beside = { acts: FIRST, otherAnswers: true };
    expect(next({ building: caughtUp(1) }, beside)).toBeUndefined();
    const alone = { acts: FIRST, otherAnswers: false };
    expect(next({ building: caughtUp(1) }, alone)).toMatchObject({ kind: 'answer' });
    expect(next({ building: caughtUp(1) })).toMatchObject({ kind: 'answer' });
  });

  it('begins nothing where the operator has dropped the first one', () => {
    const dropped = { acts: acts({ answering: null }), otherAnswers: true };
    expect(next({}, dropped)).toBeUndefined();
    expect(next({ building: behind(1) }, dropped)).toEqual(drop('building'));
    expect(next({ former: caughtUp(1) }, dropped)).toEqual(drop('former'));
  });
});

describe('a partition in which a generation answers', () => {
  it('builds another one beside it where the acts ask for it, once', () => {
    const asked = { acts: acts({ last: 2, building: built(2) }) };
    expect(next({ answering: caughtUp(1) })).toBeUndefined();
    expect(next({ answering: caughtUp(1) }, asked)).toEqual(begin(2));
    expect(next({ answering: caughtUp(1), building: caughtUp(2) }, asked)).toBeUndefined();
  });

  it('swaps where the acts say so, as soon as the other one has all of history, and keeps the former', () => {
    const [answering, former] = [caughtUp(1), undefined];
    expect(next({ answering, building: behind(2), former }, { acts: SWAPPED })).toBeUndefined();
    const both = { answering, building: caughtUp(2) };
    expect(next(both, { acts: SWAPPED })).toEqual(swap('building'));
    const without = acts({ last: 2, answering: 2 });
    expect(next(both, { acts: without })).toEqual(swap('building', false));
    expect(
      next({ answering: caughtUp(2), former: caughtUp(1) }, { acts: SWAPPED }),
    ).toBeUndefined();
  });

  it('rolls back to the former one, also where it had not followed the swap', () => {
    const rolled = { acts: ROLLED_BACK };
    expect(next({ answering: caughtUp(2), former: caughtUp(1) }, rolled)).toEqual(swap('former'));
    const early = { answering: caughtUp(1), building: caughtUp(2) };
    expect(next(early, rolled)).toEqual({ kind: 'keep_as_former' });
  });

  it('waits until the other one has every event that a reader may have seen', () => {
    const older = { answering: caughtUp(1, '9'), building: caughtUp(2, '8') };
    expect(next(older, { acts: SWAPPED })).toBeUndefined();
    const kept = { answering: caughtUp(2, '9'), former: caughtUp(1, '8') };
    expect(next(kept, { acts: ROLLED_BACK })).toBeUndefined();
    // The store has lost events, and this one is built without them.
    const lost = { answering: caughtUp(1, '9'), building: caughtUp(1, '8') };
    expect(next(lost)).toEqual(swap('building', false));
  });

  it('keeps no former one that is not built yet, since it may answer at once', () => {
    const early = { answering: caughtUp(1), building: behind(2) };
    expect(next(early, { acts: ROLLED_BACK })).toBeUndefined();
  });

  it('builds one again that was lost, and answers with the other one until then', () => {
    expect(next({ answering: caughtUp(1) }, { acts: SWAPPED })).toEqual(begin(2));
    const other = { answering: caughtUp(1), building: caughtUp(3) };
    expect(next(other, { acts: SWAPPED })).toEqual(drop('building'));
  });

  it('replaces it by one of the same number, which is built where the store has lost events', () => {
    expect(next({ answering: caughtUp(1), building: behind(1) })).toBeUndefined();
    const both = { answering: caughtUp(1), building: caughtUp(1) };
    expect(next(both)).toEqual(swap('building', false));
    expect(next(both, { acts: undefined })).toEqual(swap('building', false));
    const ahead = { answering: caughtUp(1, '9'), building: behind(1) };
    for (const each of [SWAPPED, acts({ last: 2, building: built(2) })]) {
      expect(next(ahead, { acts: each })).toBeUndefined();
      const anew = { ...ahead, building: caughtUp(1, '8') };
      expect(next(anew, { acts: each })).toEqual(swap('building', false));
    }
  });

  it('drops what the acts name no more, and a former one whose time is over', () => {
    expect(next({ answering: caughtUp(1), building: behind(2) })).toEqual(drop('building'));
    const both = { answering: caughtUp(2), former: caughtUp(1) };
    expect(next(both, { acts: acts({ last: 2, answering: 2 }) })).toEqual(drop('former'));
    expect(next(both, { acts: SWAPPED, now: LATER })).toEqual(drop('former'));
  });

  it('does not build a first one again that answers since nothing else did', () => {
    expect(next({ answering: caughtUp(1) }, { acts: FIRST })).toBeUndefined();
  });
});

describe('a partition whose acts this release cannot read', () => {
  const unreadable = { acts: undefined };

  it('changes no generation', () => {
    expect(next({ answering: caughtUp(1), building: caughtUp(2) }, unreadable)).toBeUndefined();
    expect(next({ answering: caughtUp(1), former: caughtUp(2) }, unreadable)).toBeUndefined();
  });

  it('builds one where none answers', () => {
    expect(next({}, unreadable)).toEqual(begin(1));
    expect(next({ building: caughtUp(4) }, unreadable)).toMatchObject({ kind: 'answer' });
  });
});

it('each way ends: no step leads back to a state before it', () => {
  const all = [NO_ACTS, FIRST, SWAPPED, ROLLED_BACK, acts({ last: 2, building: built(2) })];
  const places = [undefined, caughtUp(1), caughtUp(2), behind(1), behind(2)];
  for (const each of [...all, undefined]) {
    for (const answering of places)
      for (const building of places)
        for (const former of places) {
          const start = { answering, building, former };
          expect(walk(start, { acts: each }), JSON.stringify({ start, each })).toBeLessThan(6);
        }
  }
});

/** @returns the number of steps until there is none, 10 at most. */
function walk(start: Placed, changes: Partial<PlacementInput>): number {
  let placed = start;
  for (let taken = 0; taken < 10; taken += 1) {
    const step = next(placed, changes);
    if (step === undefined) return taken;
    placed = take(step, placed);
  }
  return 10;
}

function take(step: Step, { answering, building, former }: Placed): Placed {
  switch (step.kind) {
    case 'begin':
      return { answering, building: behind(step.generation), former };
    case 'answer':
      return step.from === 'building'
        ? { answering: building, former }
        : { answering: former, building };
    case 'swap': {
      const kept = step.keepsFormer ? answering : undefined;
      return step.from === 'building'
        ? { answering: building, former: kept ?? former }
        : { answering: former, building, former: kept };
    }
    case 'keep_as_former':
      return { answering, former: building };
    case 'drop':
      return step.from === 'building' ? { answering, former } : { answering, building };
  }
}
