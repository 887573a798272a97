import { describe, expect, it } from 'vitest';
import type { TestClockEvent } from '#domain/test-clock';
import { projected } from './spec-support/recorded.js';
import { testClocks } from './test-clocks.projection.js';

const NOW = '2026-01-31T10:00:00.000Z';
const REQUESTED: TestClockEvent = {
  type: 'test_clock.advance_requested.v1',
  data: { appId: 'id', target: '2026-03-01T00:00:00.000Z', from: NOW },
};
const STEPPED: TestClockEvent = { type: 'test_clock.stepped.v1', data: { to: NOW } };
const REACHED: TestClockEvent = { type: 'test_clock.target_reached.v1', data: { offsetMs: 1 } };

const listed = (...events: TestClockEvent[]) =>
  testClocks
    .indexes('app_1', projected(testClocks, events), events.length - 1)
    .map(({ index }) => index.join(' '));

describe('the read model of test clocks', () => {
  it('lists a clock as moved for good, and as advancing until it is at its target', () => {
    expect(listed()).toEqual([]);
    expect(listed(REQUESTED)).toEqual(['moved', 'advancing']);
    expect(listed(REQUESTED, STEPPED)).toEqual(['moved', 'advancing']);
    expect(listed(REQUESTED, STEPPED, REACHED)).toEqual(['moved']);
    expect(listed(REQUESTED, REACHED, REQUESTED)).toEqual(['moved', 'advancing']);
  });

  it('asks for its lists by partition', async () => {
    const asked: unknown[] = [];
    const queries = testClocks.queries({
      range: async (index, range) => {
        asked.push([index, range]);
        return [{ member: 'app_1', at: NOW }];
      },
    } as Partial<Parameters<typeof testClocks.queries>[0]> as never);
    const range = { partition: 3, offset: 10, limit: 5 };
    expect(await queries.moved(range)).toEqual(['app_1']);
    expect(await queries.advancing(range)).toEqual(['app_1']);
    const until = '1970-01-01T00:00:00.000Z';
    expect(asked).toEqual([
      [['moved'], { ...range, until }],
      [['advancing'], { ...range, until }],
    ]);
  });
});
