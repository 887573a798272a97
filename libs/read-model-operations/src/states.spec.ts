import { describe, expect, it } from 'vitest';
import type { Generations } from '#domain/projection';
import { type GenerationsToJudge, judgeGenerations, type PlaceCounts } from './states.js';

const NOW = '2027-01-31T10:00:00.000Z';
const LATER = '2027-02-01T10:00:00.000Z';
const NEW_LEDGER: Generations = { last: 1, answering: 1, building: null, former: null };
const BUILT = { generation: 2, hold: false, maxPerSecond: null, isPaused: false, gate: null };
const at = (places: Partial<PlaceCounts>): PlaceCounts => ({
  ...{ checkpoint: 0, building: 0, former: 0 },
  ...places,
});

function judge(
  acts: GenerationsToJudge['acts'],
  placed: readonly (readonly [number, PlaceCounts])[],
): string[] {
  const judged = judgeGenerations({ acts, placed: new Map(placed), partitions: 4, now: NOW });
  return judged.map(({ generation, state, note }) => {
    return `${generation} ${state}${note === null ? '' : `: ${note}`}`;
  });
}

describe('the states of generations', () => {
  const answering = [1, at({ checkpoint: 4 })] as const;
  const built = [2, at({ building: 4 })] as const;

  it('of a new ledger: the first one answers', () => {
    expect(judge(NEW_LEDGER, [answering])).toEqual(['1 answering']);
  });

  it.each([
    [null, '2 building'],
    [{ kind: 'verified', checked: 3 } as const, '2 verified'],
    [{ kind: 'held', findings: ['x'] } as const, '2 held'],
  ])('follow the word of the gate: %j', (gate, state) => {
    const acts = { ...NEW_LEDGER, last: 2, building: { ...BUILT, gate } };
    expect(judge(acts, [answering, built])).toEqual(['1 answering', state]);
  });

  it('stay clear while partitions follow a swap', () => {
    const acts = {
      ...NEW_LEDGER,
      ...{ last: 2, answering: 2, former: { generation: 1, until: LATER } },
    };
    const half = [
      [1, at({ checkpoint: 1, former: 3 })],
      [2, at({ checkpoint: 3, building: 1 })],
    ] as const;
    expect(judge(acts, half)).toEqual([
      '1 former',
      '2 answering: it answers in 3 of 4 partitions, and the others follow',
    ]);
  });

  it('explain the loss of Redis', () => {
    const former = { generation: 1, until: LATER };
    const acts = { ...NEW_LEDGER, last: 2, answering: 2, former };
    const missing =
      'missing: Redis has nothing of it: it was lost, or not begun yet; a projector builds one that answers anew';
    expect(judge(acts, [])).toEqual([`1 ${missing}`, `2 ${missing}`]);
    expect(judge(acts, [built])).toEqual([`1 ${missing}`, '2 building']);
    expect(judge(acts, [[2, at({ building: 1 })]])).toEqual([
      `1 ${missing}`,
      '2 answering: Redis has it in 1 of 4 partitions',
    ]);
  });

  it('of one that was asked for, or was lost before its swap, is that it is built', () => {
    for (const gate of [null, { kind: 'verified', checked: 3 } as const]) {
      const acts = { ...NEW_LEDGER, last: 2, building: { ...BUILT, gate } };
      expect(judge(acts, [answering])).toEqual([
        ...['1 answering', '2 building: Redis has nothing of it yet: a projector begins it'],
      ]);
    }
  });

  it('forget a former generation whose time is over', () => {
    const acts = { ...NEW_LEDGER, last: 2, answering: 2, former: { generation: 1, until: NOW } };
    expect(judge(acts, [[2, at({ checkpoint: 4 })]])).toEqual(['2 answering']);
  });

  it('are those of the places where the acts cannot be read, and of a first generation that answers', () => {
    expect(judge(undefined, [answering, built, [3, at({ former: 4 })]])).toEqual([
      ...['1 answering', '2 building', '3 former'],
    ]);
    const first = { last: 1, answering: null, building: { ...BUILT, generation: 1 }, former: null };
    expect(judge(first, [answering])).toEqual(['1 answering']);
  });
});
