import { type TestClock, testClockAggregate } from '#domain/test-clock';
import type { StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';

/** Whether a clock was ever moved, and whether it is on its way (rules/lifecycle 9). */
export const testClockRecipe: StreamRecipe<TestClock> = {
  ...byAggregate(testClockAggregate),
  render: (id, { advance, reached }) => {
    if (advance === null && reached === null) return { state: { status: 'none' }, entries: [] };
    const moved = { index: ['moved'] as const, member: id, score: 0 };
    if (advance === null) return { state: { status: 'reached' }, entries: [moved] };
    const advancing = { index: ['advancing'] as const, member: id, score: 0 };
    return { state: { status: 'advancing' }, entries: [moved, advancing] };
  },
  findId: (_, member) => member,
};
