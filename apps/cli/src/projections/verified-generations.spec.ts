import { describe, expect, it } from 'vitest';
import type { DescribedGeneration } from '#read-model-operations';
import { chooseGenerations } from './verified-generations.js';

type Row = Parameters<typeof chooseGenerations>[0][number];

const row = (
  generation: number,
  state: DescribedGeneration['state'],
  places: Partial<Row['places']>,
): Row => ({ generation, state, places: { checkpoint: 0, building: 0, former: 0, ...places } });

const ANSWERING = row(2, 'answering', { checkpoint: 4 });
const FORMER = row(1, 'former', { former: 4 });
const HELD = row(3, 'held', { building: 4 });

const choose = (rows: readonly Row[], wanted?: number) =>
  chooseGenerations(rows, 4, wanted).map(({ generation, place }) => `${generation} ${place}`);

describe('the generations that are verified', () => {
  it('are the one that answers and the one behind the gate', () => {
    expect(choose([FORMER, ANSWERING, HELD])).toEqual(['2 checkpoint', '3 building']);
  });

  it('may be named by number, also the former one', () => {
    expect(choose([FORMER, ANSWERING, HELD], 1)).toEqual(['1 former']);
    expect(() => choose([FORMER, ANSWERING, HELD], 9)).toThrow('Generation 9 of it has all');
  });

  it.each([
    ['takes in history', row(3, 'building', { building: 4 })],
    ['is not in every partition', row(3, 'held', { building: 3 })],
    ['is lost', row(3, 'missing', {})],
  ])('are none that %s', (_, other) => {
    expect(choose([ANSWERING, other])).toEqual(['2 checkpoint']);
    expect(() => choose([other])).toThrow('No generation of it has all of history');
  });
});
